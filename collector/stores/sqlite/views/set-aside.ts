/** Events set aside by a generation, in a table that the first of them creates. */
import type { DatabaseSync } from 'node:sqlite';
import type { SetAside, SetAsideList } from '../../../views/views.ts';
import { hasTable, setAsideTable } from './tables.ts';

/** Runs inside the caller's transaction. */
export function writeSetAside(
  database: DatabaseSync,
  generation: number,
  events: readonly SetAside[],
): void {
  if (events.length === 0) return;
  const table = setAsideTable(generation);
  database.exec(
    `CREATE TABLE IF NOT EXISTS "${table}"
     (position INTEGER PRIMARY KEY, event_id TEXT NOT NULL, reason TEXT NOT NULL) STRICT`,
  );
  const insert = database.prepare(
    `INSERT OR IGNORE INTO "${table}" (position, event_id, reason) VALUES (?, ?, ?)`,
  );
  for (const { position, eventId, reason } of events)
    insert.run(position, eventId.toWellFormed(), reason.toWellFormed());
}

export function readSetAside(
  database: DatabaseSync,
  generation: number,
  limit: number,
): SetAsideList {
  const table = setAsideTable(generation);
  if (!hasTable(database, table)) return { count: 0, events: [] };
  const { count } = database.prepare(`SELECT count(*) AS count FROM "${table}"`).get() as {
    count: number;
  };
  const events = database
    .prepare(
      `SELECT position, event_id AS eventId, reason FROM "${table}" ORDER BY position LIMIT ?`,
    )
    .all(limit);
  return { count, events: events as unknown as SetAside[] };
}
