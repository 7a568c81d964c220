/**
 * Checks that an open database file is still the one under its path. When a file is removed or
 * replaced, SQLite goes on writing into the old one, and those writes vanish when the process ends.
 * So nothing is acknowledged any more until the collector is restarted.
 *
 * Compares device and inode of the file and of its write-ahead log, twice per transaction, which
 * takes two or three microseconds.
 */
import { type BigIntStats, statSync } from 'node:fs';
import { LedgerError } from '../../errors.ts';

export interface DatabasePlace {
  /** What is wrong, as a sentence for users; null when nothing is. */
  trouble(): string | null;
  /** Throws `store_gone`. */
  expectHeld(): void;
}

/** `path` is the path of a database that is open or is about to be opened. */
export function watchPlace(path: string): DatabasePlace {
  if (path === ':memory:') return { trouble: () => null, expectHeld: () => undefined };
  const file = fileIdentity(path);
  /** Exists from the first write on. */
  let log = fileIdentity(`${path}-wal`);

  function trouble(): string | null {
    if (fileIdentity(path) !== file) return findTrouble(path);
    const found = fileIdentity(`${path}-wal`);
    if (log !== null && found !== log) return findTrouble(`${path}-wal`);
    log = found;
    return null;
  }

  return {
    trouble,
    expectHeld() {
      const message = trouble();
      if (message !== null) throw new LedgerError('store_gone', { message });
    },
  };
}

function findTrouble(path: string): string {
  return (
    `${path} was removed or replaced while this collector was writing to it: no more events are ` +
    'accepted, and senders keep theirs. If the file was moved, put it back. Otherwise stop the ' +
    'collector, restore a backup or start without a file, and start the collector again.'
  );
}

function fileIdentity(path: string): string | null {
  const stats: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.dev}:${stats.ino}`;
}
