/**
 * Is the file of an open database still the one under its name? A file that is removed, or replaced
 * by another one, stays open as it was: SQLite goes on writing into it, and all of that is gone
 * when the process ends. So nothing is acknowledged any more, until the collector is started anew.
 *
 * Compared are device and inode, of the file and of the write-ahead log beside it. It is looked at
 * when it is asked, twice a transaction: two or three microseconds.
 */
import { type BigIntStats, statSync } from 'node:fs';
import { LedgerError } from '../../errors.ts';

export interface Place {
  /** Null while all is well, else what is wrong, in words for people. */
  trouble(): string | null;
  /** Throws `store_gone`. */
  expectHeld(): void;
}

/** `path` is that of a database which is open, or will be in a moment. */
export function watchPlace(path: string): Place {
  if (path === ':memory:') return { trouble: () => null, expectHeld: () => undefined };
  const file = identityOf(path);
  /** It is there as soon as something was written. */
  let log = identityOf(`${path}-wal`);

  function trouble(): string | null {
    if (identityOf(path) !== file) return troubleOf(path);
    const found = identityOf(`${path}-wal`);
    if (log !== null && found !== log) return troubleOf(`${path}-wal`);
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

function troubleOf(path: string): string {
  return `${path} was removed or replaced while this collector wrote to it: nothing more is taken in, senders keep what they have. Put it back if it was moved; else stop the collector, put a backup in place or nothing, and start it.`;
}

/** Null where nothing is. */
function identityOf(path: string): string | null {
  const stats: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.dev}:${stats.ino}`;
}
