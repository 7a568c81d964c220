/**
 * How the user starts the collector's commands, from any folder. Read when a text is shown: an
 * agent's start does not wait for it.
 */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeCommand } from '../../core/machine/node-command.ts';
import { readRegularFile } from '../../core/machine/regular-file.ts';
import { asText, type JsonObject } from '../../core/record/fields.ts';

/**
 * As the collector that ran on this home last says, otherwise that of the checkout around this
 * file, otherwise what the registry calls it. Contract: never throws.
 */
export function collectorCommand(home: string, inside: string = ownFolder): string {
  return noted(home) ?? besides(inside) ?? 'npx @pi-ledger/collector';
}

const ownFolder = dirname(fileURLToPath(import.meta.url));
const fileBytesMax = 16 * 1024;

/** Returns null if no collector ran here, or it has gone from where it was. */
function noted(home: string): string | null {
  try {
    const { command, program } = JSON.parse(
      readRegularFile(join(home, 'command.json'), { bytesMax: fileBytesMax }),
    ) as JsonObject;
    const path = asText(program);
    return path !== null && existsSync(path) ? asText(command) : null;
  } catch {
    return null;
  }
}

/** Returns null if the extension is installed without a checkout. */
function besides(folder: string): string | null {
  const program = join(folder, 'collector', 'bin', 'pi-ledger.mjs');
  if (existsSync(program)) return nodeCommand(program, process.env.HOME || homedir());
  const above = dirname(folder);
  return above === folder ? null : besides(above);
}
