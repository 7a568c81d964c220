/** A ledger's log in a SQLite file. */
import { DatabaseSync } from 'node:sqlite';
import { waitMsMax } from '../../../../support/bounds.ts';
import type { LedgerStore, StoredEvent } from '../ledger-store.ts';

export function sqliteStore(path: string): LedgerStore {
  return {
    location: `sqlite:${path}`,
    async events() {
      const database = open(path);
      if (database === null) return [];
      try {
        const rows = database.prepare('SELECT event FROM events ORDER BY position').all() as {
          event: string;
        }[];
        return rows.map(({ event }) => JSON.parse(event) as StoredEvent);
      } catch (error) {
        if (/no such table/.test(String(error))) return [];
        throw error;
      } finally {
        database.close();
      }
    },
    async damage(type) {
      const database = new DatabaseSync(path);
      const newest = "SELECT max(position) FROM events WHERE event ->> '$.type' = ?";
      database.prepare(`DELETE FROM events WHERE position = (${newest})`).run(type);
      database.close();
    },
  };
}

function open(path: string): DatabaseSync | null {
  try {
    return new DatabaseSync(path, { readOnly: true, timeout: waitMsMax });
  } catch (error) {
    if (/unable to open/.test(String(error))) return null;
    throw error;
  }
}
