/**
 * Finds the settings: the environment, and `config.json` in PI_LEDGER_HOME. Used by the extension
 * and the collector. Problems of the file itself are reported here; its values are read by
 * `contract/settings/`.
 */
import { lstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Environment, WrittenSettings } from '../../contract/settings/read.ts';
import { asObject, type JsonObject } from '../record/fields.ts';
import { fileReason } from './file-reason.ts';
import { readRegularFile } from './regular-file.ts';

export interface SettingsFound {
  /** PI_LEDGER_HOME, default `~/.pi-ledger`. */
  readonly home: string;
  readonly written: WrittenSettings;
  readonly problems: readonly string[];
}

/** Its name in PI_LEDGER_HOME. */
export const settingsFile = 'config.json';

/** Limit of `config.json`; the rules of a large team take some kB. */
const fileBytesMax = 1024 * 1024;
/**
 * A file with more keys belongs to another program; listing every unknown key would waste the
 * host's time.
 */
const keysMax = 200;

/** Contract: never throws. */
export function findSettings(environment: Environment): SettingsFound {
  const fallback = join(homedir(), '.pi-ledger');
  const home = environment.PI_LEDGER_HOME?.trim() || fallback;
  if (!isAbsolute(home)) {
    const found = JSON.stringify(home).slice(0, 80);
    const problem = `PI_LEDGER_HOME is ${found}, expected an absolute path`;
    return { home: fallback, written: { environment, file: {} }, problems: [problem] };
  }
  const file = readFile(join(home, settingsFile));
  return typeof file === 'string'
    ? { home, written: { environment, file: {} }, problems: [file] }
    : { home, written: { environment, file }, problems: [] };
}

/** Returns the problem as text. A missing file counts as an empty one. */
function readFile(path: string): JsonObject | string {
  try {
    const file = asObject(JSON.parse(readRegularFile(path, { bytesMax: fileBytesMax })));
    if (file === null) return `${path} is not a JSON object`;
    return Object.keys(file).length > keysMax ? `${path} has more than ${keysMax} keys` : file;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A parser's message quotes what it read, which may include the token.
    if (code === undefined) return `${path} is not JSON`;
    if (code !== 'ENOENT') return `${path} cannot be read: ${fileReason(error) ?? code}`;
    return isThere(path) ? `${path} cannot be read: it is a link that leads nowhere` : {};
  }
}

/** Also a link whose end is not: somebody has settings, and they are not here now. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
