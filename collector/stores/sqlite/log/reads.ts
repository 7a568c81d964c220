/** The statements that read a log in a SQLite file. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { createBoundedList } from '../../../log/bounded-list.ts';
import { createTextReader } from './events.ts';

export function prepareReads(database: DatabaseSync) {
  return {
    texts: createTextReader(database),
    owners: database.prepare(
      `SELECT id AS eventId, event ->> '$.subject' AS subject, event ->> '$.ownership' AS ownership
       FROM events WHERE id IN (SELECT value FROM json_each(?))`,
    ),
    head: database.prepare('SELECT max(position) AS head FROM events'),
    deadLetters: database.prepare(
      `SELECT id, received_at_ms AS receivedAtMs, code, field, message, body FROM dead_letters
       WHERE id > ? ORDER BY id LIMIT ?`,
    ),
    removeDeadLetter: database.prepare('DELETE FROM dead_letters WHERE id = ?'),
  };
}

/** Reads synchronously, so nothing else uses the statement meanwhile. */
export function readBounded<Row>(
  statement: StatementSync,
  after: number,
  limit: number,
  charsOf: (row: Row) => number,
  charsMax = Number.POSITIVE_INFINITY,
): Row[] {
  const list = createBoundedList(charsOf, charsMax);
  try {
    for (const row of statement.iterate(after, limit)) if (!list.add(row as Row)) break;
  } catch (error) {
    forgetError(statement);
    throw error;
  }
  return list.items;
}

/** A statement that failed while it was iterated says so again at its next use. */
function forgetError(statement: StatementSync): void {
  try {
    statement.get(0, 0);
  } catch {
    // That was it.
  }
}

export function headOf(statement: StatementSync): number {
  const row = statement.get() as { head: number | null } | undefined;
  return row?.head ?? 0;
}
