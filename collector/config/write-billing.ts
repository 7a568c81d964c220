/**
 * Writes how providers are paid into `config.json`: its other keys stay, in their order. Throws if
 * the file is there and no JSON object, and file system errors.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '@pi-ledger/extension/spool/regular-file';
import type { Billing } from '../projections/rules.ts';

const fileBytesMax = 1024 * 1024;

/** Null takes a provider's rule away. */
export function writeBilling(
  home: string,
  changes: Readonly<Record<string, Billing | null>>,
): Readonly<Record<string, unknown>> {
  const path = join(home, 'config.json');
  const settings = readObject(path);
  const billing = Object.fromEntries(
    Object.entries({ ...asObject(settings.billing), ...changes }).filter(
      ([, value]) => value !== null,
    ),
  );
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify({ ...settings, billing }, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
  return billing;
}

function readObject(path: string): Readonly<Record<string, unknown>> {
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
function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
