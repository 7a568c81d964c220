/**
 * Changes keys of `config.json`; the others stay, in their order. Throws if the file is there and
 * no JSON object, and file system errors.
 */
import { existsSync, mkdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '@pi-ledger/core/machine/regular-file';
import { settingsFile } from '@pi-ledger/core/machine/settings-file';

const fileBytesMax = 1024 * 1024;

export type SettingsFile = Readonly<Record<string, unknown>>;

/** Keys that are undefined in what `change` returns are taken away. */
export function changeSettings(
  home: string,
  change: (settings: SettingsFile) => SettingsFile,
): void {
  const path = realPathOf(join(home, settingsFile));
  const changed = change(readObject(path));
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(changed, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}

/** Where a link leads: the link itself stays. */
function realPathOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

function readObject(path: string): SettingsFile {
  let text: string;
  try {
    text = readRegularFile(path, { bytesMax: fileBytesMax });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
  const value = parsed(text);
  if (value === null) throw new Error(`${path} is not a JSON object: nothing was written.`);
  return value;
}

/** A parser's message quotes what it read, which may include the token. */
function parsed(text: string): SettingsFile | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function isObject(value: unknown): value is SettingsFile {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
