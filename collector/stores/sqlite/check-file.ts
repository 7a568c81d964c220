/**
 * Runs SQLite's integrity check over a whole file: every page, every index, the form of every row.
 * Read-only, and works beside a running collector.
 */
import { DatabaseSync } from 'node:sqlite';
import { isDamage } from './damage.ts';
import { busyTimeoutMs } from './open-file.ts';

/** The problems found, at most `max` lines. Throws errors that are not damage. */
export function checkFile(path: string, max: number): readonly string[] {
  const database = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
  try {
    const rows = database.prepare(`PRAGMA integrity_check(${max})`).all() as {
      readonly integrity_check: string;
    }[];
    return rows.map(({ integrity_check }) => integrity_check).filter((line) => line !== 'ok');
  } catch (error) {
    if (!isDamage(error)) throw error;
    return [(error as Error).message];
  } finally {
    database.close();
  }
}

/**
 * Ids of the events at these positions, read from the index of ids alone: it may be intact when the
 * pages of the events are not.
 */
export function idsFromIndex(
  path: string,
  positions: ReadonlySet<number>,
): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  const database = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
  try {
    const statement = database.prepare(
      'SELECT position, id FROM events INDEXED BY sqlite_autoindex_events_1 ORDER BY id',
    );
    for (const row of statement.iterate() as Iterable<{
      readonly position: number;
      readonly id: string;
    }>) {
      if (positions.has(row.position)) found.set(row.position, row.id);
    }
  } catch (error) {
    // Ids found before the damage are still right.
    if (!isDamage(error)) throw error;
  } finally {
    database.close();
  }
  return found;
}
