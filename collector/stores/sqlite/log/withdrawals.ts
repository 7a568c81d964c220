/**
 * Finds the withdrawals in a SQLite file. Their ids are noted in the transaction that appends them;
 * seals do not delete them (history.ts).
 */
import type { DatabaseSync } from 'node:sqlite';
import type { AppendBatch } from '../../../log/log.ts';
import type { StoredText } from '../../../log/stored-event.ts';
import { readEvent } from '../../../log/stored-event.ts';
import {
  createWithdrawals,
  isWithdrawal,
  noWithdrawals,
  type Withdrawals,
} from '../../../log/withdrawals.ts';

export interface SqliteWithdrawals {
  /** Those that are in force; asks the file, since another process may have written it. */
  current(): Withdrawals;
  /** Notes those among the events. Call it inside the transaction of the append. */
  note(events: AppendBatch['events']): void;
}

export function createSqliteWithdrawals(database: DatabaseSync): SqliteWithdrawals {
  const count = database.prepare('SELECT count(*) AS count FROM withdrawals');
  const all = database.prepare(
    `SELECT position, received_at_ms AS receivedAtMs, id AS eventId, event AS text
     FROM events WHERE id IN (SELECT event_id FROM withdrawals) ORDER BY position`,
  );
  const insert = database.prepare(
    'INSERT INTO withdrawals (event_id) VALUES (?) ON CONFLICT DO NOTHING',
  );
  let known = { count: 0, withdrawals: noWithdrawals };

  return {
    current() {
      const now = (count.get() as { readonly count: number }).count;
      if (now !== known.count) {
        const found = (all.all() as unknown as StoredText[]).map(readEvent);
        known = { count: now, withdrawals: createWithdrawals(found) };
      }
      return known.withdrawals;
    },
    note(events) {
      for (const event of events) if (isWithdrawal(event)) insert.run(event.id);
    },
  };
}
