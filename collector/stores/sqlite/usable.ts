/**
 * Says in words why a store in a file cannot be opened, and what to do: a code of SQLite or of the
 * system says neither. Before a file is opened, its path is looked at: opening a pipe would wait
 * for ever.
 */
import { type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileReason } from '@pi-ledger/core/machine/file-reason';
import { LedgerError } from '../../errors.ts';
import { namingFile } from './damage.ts';

const another = 'Choose another path (PI_LEDGER_STORE, or "store" in config.json).';

/** Throws `store_invalid` if something else than a file is there. */
export function expectFile(path: string, remedy?: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isFile()) return;
  const example = stats.isDirectory() ? ` A file in it would be ${join(path, 'ledger.db')}.` : '';
  const message = `${path} is ${fileKind(stats)}, not a file. ${remedy ?? `${another}${example}`}`;
  throw new LedgerError('store_invalid', { message });
}

function fileKind(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}

/** The same result; an error of `open` names the store's file and says what to do. */
export function explained<Result>(path: string, open: () => Result): Result {
  try {
    return open();
  } catch (error) {
    throw inWords(error, path);
  }
}

/** Returns any other error as it is. */
export function inWords(error: unknown, path: string): unknown {
  const cause = readCause(error);
  const said =
    cause === null ? undefined : (sqliteReasons[errorCode(cause)] ?? systemReason(cause));
  if (said === undefined) return namingFile(error, path);
  const message = `The store ${path} cannot be used: ${said[0]}. ${said[1]}`;
  return new LedgerError('store_unavailable', { message, cause: error });
}

/** The error itself, or what a migration met. */
function readCause(error: unknown): Error | null {
  if (!(error instanceof Error) || error instanceof LedgerError) return null;
  return error.cause instanceof Error ? error.cause : error;
}

/** The primary code of SQLite; the rest is detail. */
function errorCode(error: Error): number {
  const { errcode } = error as { readonly errcode?: unknown };
  return typeof errcode === 'number' ? errcode & 0xff : 0;
}

type Said = readonly [reason: string, remedy: string];

const space = 'Free some space and start again; what was acknowledged is safe.';
const rights =
  'Give this user the right to write it and its folder, or choose another path ' +
  '(PI_LEDGER_STORE, or "store" in config.json).';
const beside = 'Look at what lies there and beside it (-wal, -shm), and at the disk.';

const sqliteReasons: Readonly<Record<number, Said>> = {
  3: ['permission denied', rights],
  8: ['it can only be read', rights],
  10: ['reading or writing it fails', beside],
  13: ['the disk is full', space],
  14: ['it, or a file beside it, cannot be opened', beside],
};

function systemReason(error: Error): Said | undefined {
  const { code, path } = error as NodeJS.ErrnoException;
  const reason = fileReason(error);
  if (reason === undefined) return undefined;
  const where = path === undefined ? '' : ` (${path})`;
  const remedies: Readonly<Record<string, string>> = {
    ...{ ENOSPC: space, EACCES: rights, EPERM: rights, EIO: beside, EMFILE: 'Try again.' },
  };
  return [`${reason}${where}`, remedies[code ?? ''] ?? another];
}
