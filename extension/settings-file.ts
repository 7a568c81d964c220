/**
 * Where settings are read from: the environment, and `config.json` in PI_LEDGER_HOME. For the
 * extension and the collector. What is wrong with the file is named; what stands in it is read by
 * `contract/settings/`.
 */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Environment, Written } from '../contract/settings/read.ts';
import { asObject, type JsonObject } from './record/fields.ts';
import { readRegularFile } from './spool/regular-file.ts';

export interface SettingsFound {
  /** PI_LEDGER_HOME, default `~/.pi-ledger`. */
  readonly home: string;
  readonly written: Written;
  readonly problems: readonly string[];
}

/** Of `config.json`; the rules of a large team are some kB. */
const fileBytesMax = 1024 * 1024;
/** A file with more is another program's: it is not worth a host's time to say so key by key. */
const keysMax = 200;

/** Contract: never throws. */
export function findSettings(environment: Environment): SettingsFound {
  const fallback = join(homedir(), '.pi-ledger');
  const home = environment.PI_LEDGER_HOME || fallback;
  if (!isAbsolute(home)) {
    const problem = `PI_LEDGER_HOME is ${JSON.stringify(home).slice(0, 80)}, expected an absolute path`;
    return { home: fallback, written: { environment, file: {} }, problems: [problem] };
  }
  const file = readFile(join(home, 'config.json'));
  return typeof file === 'string'
    ? { home, written: { environment, file: {} }, problems: [file] }
    : { home, written: { environment, file }, problems: [] };
}

/** A text is what is wrong with it. No file is an empty one. */
function readFile(path: string): JsonObject | string {
  try {
    const file = asObject(JSON.parse(readRegularFile(path, { bytesMax: fileBytesMax })));
    if (file === null) return `${path} is not a JSON object`;
    return Object.keys(file).length > keysMax ? `${path} has more than ${keysMax} keys` : file;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return {};
    // A parser's message quotes what it read, and that may be the token.
    return code === undefined ? `${path} is not JSON` : `${path} cannot be read (${code})`;
  }
}
