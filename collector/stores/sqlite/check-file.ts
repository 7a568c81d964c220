/**
 * Has SQLite itself look at a whole file: every page, every index, every row's form. Reads only; a
 * collector may go on meanwhile.
 */
import { DatabaseSync } from 'node:sqlite';
import { isDamage } from './damage.ts';
import { busyTimeoutMs } from './open-file.ts';

/** What is wrong, at most `max` lines; none: nothing. Throws what is no damage. */
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
 * Ids of the events at these positions, from the index of ids alone: it may be whole where the
 * events' own pages are not.
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
    // What was found before the damage is still true.
    if (!isDamage(error)) throw error;
  } finally {
    database.close();
  }
  return found;
}
