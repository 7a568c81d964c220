/** The statements that read a log in a SQLite file. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { createBoundedList } from '../../../log/bounded-list.ts';
import type { StoredText } from '../../../log/stored-event.ts';
import { isDamage } from '../damage.ts';

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

export function readHead(statement: StatementSync): number {
  const row = statement.get() as { head: number | null } | undefined;
  return row?.head ?? 0;
}

// Reads events from a SQLite file, even around damaged pages: of an event on such a page, its
// position is all that is left.

/** How many events one read takes singly where the file is damaged. */
const damagedMax = 100;

type Row = readonly [position: number, receivedAtMs: number, eventId: string, text: string];

/**
 * Reads as `Log.readTexts` does; a text that cannot be read is empty, and has no id. Throws
 * SQLite's errors; damage only when the newest event cannot be found.
 */
export function createTextReader(database: DatabaseSync) {
  const columns = 'SELECT position, received_at_ms, id, event FROM events';
  const many = asArrays(
    database.prepare(`${columns} WHERE position > ? ORDER BY position LIMIT ?`),
  );
  const one = asArrays(database.prepare(`${columns} WHERE position = ?`));
  const newest = database.prepare('SELECT max(position) AS head FROM events');

  const toText = ([position, receivedAtMs, eventId, text]: Row): StoredText => ({
    position,
    receivedAtMs,
    eventId,
    text,
  });

  function at(position: number): StoredText | null {
    try {
      const row = one.get(position) as Row | undefined;
      return row === undefined ? null : toText(row);
    } catch (error) {
      if (!isDamage(error)) throw error;
      return { position, receivedAtMs: 0, eventId: '', text: '' };
    }
  }

  function together(after: number, limit: number, charsMax: number): StoredText[] {
    const rows = createBoundedList<Row>(([, , , text]) => text.length, charsMax);
    for (const row of many.iterate(after, limit)) if (!rows.add(row as unknown as Row)) break;
    return rows.items.map(toText);
  }

  /** Reads event by event, on one damaged page at most. */
  function oneByOne(after: number, limit: number): StoredText[] {
    const { head } = newest.get() as { readonly head: number | null };
    const texts: StoredText[] = [];
    for (let position = after + 1; position <= (head ?? 0) && texts.length < limit; position++) {
      const text = at(position);
      if (text !== null) texts.push(text);
    }
    return texts;
  }

  return (after: number, limit: number, charsMax = Number.POSITIVE_INFINITY): StoredText[] => {
    try {
      return together(after, limit, charsMax);
    } catch (error) {
      if (!isDamage(error)) throw error;
      return oneByOne(after, Math.min(limit, damagedMax));
    }
  };
}

function asArrays(statement: StatementSync): StatementSync {
  statement.setReturnArrays(true);
  return statement;
}
