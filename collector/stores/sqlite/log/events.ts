/**
 * Reads events from a SQLite file, even around damaged pages: an event on such a page becomes a
 * damaged event at its position, without an id.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { createBoundedList } from '../../../log/bounded-list.ts';
import { damagedEvent, readEvent, type StoredEvent } from '../../../log/stored-event.ts';
import { isDamage } from '../damage.ts';

/** How many events one read takes singly where the file is damaged. */
const damagedMax = 100;

type Row = readonly [position: number, receivedAtMs: number, eventId: string, text: string];

/**
 * Reads as `Log.read` does. Throws SQLite's errors; damage only when the newest event cannot be
 * found.
 */
export function createEventReader(database: DatabaseSync) {
  const columns = 'SELECT position, received_at_ms, id, event FROM events';
  const many = asArrays(
    database.prepare(`${columns} WHERE position > ? ORDER BY position LIMIT ?`),
  );
  const one = asArrays(database.prepare(`${columns} WHERE position = ?`));
  const newest = database.prepare('SELECT max(position) AS head FROM events');

  const toEvent = ([position, receivedAtMs, eventId, text]: Row): StoredEvent =>
    readEvent({ position, receivedAtMs, eventId, text });

  function at(position: number): StoredEvent | null {
    try {
      const row = one.get(position) as Row | undefined;
      return row === undefined ? null : toEvent(row);
    } catch (error) {
      if (!isDamage(error)) throw error;
      return damagedEvent(
        { position, receivedAtMs: 0, eventId: '' },
        'The page of the file that holds it is damaged.',
      );
    }
  }

  function together(after: number, limit: number, charsMax: number): StoredEvent[] {
    const rows = createBoundedList<Row>(([, , , text]) => text.length, charsMax);
    for (const row of many.iterate(after, limit)) if (!rows.add(row as unknown as Row)) break;
    return rows.items.map(toEvent);
  }

  /** Reads event by event, on one damaged page at most. */
  function oneByOne(after: number, limit: number): StoredEvent[] {
    const { head } = newest.get() as { readonly head: number | null };
    const events: StoredEvent[] = [];
    for (let position = after + 1; position <= (head ?? 0) && events.length < limit; position++) {
      const event = at(position);
      if (event !== null) events.push(event);
    }
    return events;
  }

  return (after: number, limit: number, charsMax = Number.POSITIVE_INFINITY): StoredEvent[] => {
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
