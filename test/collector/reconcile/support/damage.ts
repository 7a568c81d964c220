import type { DatabaseSync } from 'node:sqlite';

export interface StoredEvent {
  id: string;
  type: string;
  subject: string;
  time: string;
  source: string;
  ownership?: string;
  data: {
    entryId: string;
    kind?: string;
    key?: string;
    claimed?: object;
    childSessionId?: string;
    spend: Record<string, unknown>;
  };
}

export function eventsWhere(
  database: DatabaseSync,
  fits: (event: StoredEvent) => boolean,
): { position: number; event: StoredEvent }[] {
  const rows = database.prepare('SELECT position, event FROM events ORDER BY position').all() as {
    position: number;
    event: string;
  }[];
  return rows
    .map(({ position, event }) => ({ position, event: JSON.parse(event) as StoredEvent }))
    .filter(({ event }) => fits(event));
}

export function first(
  database: DatabaseSync,
  fits: (event: StoredEvent) => boolean,
): { position: number; event: StoredEvent } {
  const [found] = eventsWhere(database, fits);
  if (found === undefined) throw new Error('the corpus has no such event');
  return found;
}

export function rewrite(
  database: DatabaseSync,
  fits: (event: StoredEvent) => boolean,
  change: (event: StoredEvent) => void,
): void {
  const { position, event } = first(database, fits);
  change(event);
  database
    .prepare('UPDATE events SET event = ? WHERE position = ?')
    .run(JSON.stringify(event), position);
}

export function add(database: DatabaseSync, event: StoredEvent): void {
  const { head } = database.prepare('SELECT max(position) AS head FROM events').get() as {
    head: number;
  };
  database
    .prepare('INSERT INTO events VALUES (?, ?, ?, ?)')
    .run(head + 1, event.id, 0, JSON.stringify(event));
}
