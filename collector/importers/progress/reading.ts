/** Reads `imports.db` beside the import that writes it. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { progressVersion } from './tables.ts';

/**
 * `path`: of `imports.db`. Returns `none` for a missing, outdated or unreadable one: the next
 * import starts it anew.
 */
export function readProgress<Found>(
  path: string,
  none: Found,
  read: (database: DatabaseSync) => Found,
): Found {
  if (!existsSync(path)) return none;
  const database = new DatabaseSync(path, { readOnly: true, timeout: 1_000 });
  try {
    const version = database.prepare('PRAGMA user_version').get()?.user_version;
    return Number(version) === progressVersion ? read(database) : none;
  } catch {
    return none;
  } finally {
    database.close();
  }
}
