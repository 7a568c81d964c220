/** The files of pi and omp that say how they are set up. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readRegularFile } from '@pi-ledger/core/machine/regular-file';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where each host keeps its settings, also where variables move them. */
export function hostFolders(env: Environment): { readonly pi: string; readonly omp: string } {
  const home = env.HOME || homedir();
  const moved = env.PI_CODING_AGENT_DIR?.replace(/^~(?=\/|$)/, home);
  return {
    pi: moved || join(home, '.pi', 'agent'),
    omp: join(home, env.PI_CONFIG_DIR || '.omp'),
  };
}

const fileBytesMax = 4 * 1024 * 1024;

/** Returns null when the file is missing, or no JSON object. */
export function readJson(path: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(readRegularFile(path, { bytesMax: fileBytesMax }));
    return isRecord(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code !== undefined) {
      return null;
    }
    throw error;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
