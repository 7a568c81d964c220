/** A ledger of the accounting corpus, and damage to events of its log in the store itself. */
import type { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect } from 'vitest';
import { type CommandLine, commandLine, faultsIn, reconcileDamaged } from './command-line.ts';

const corpus = new URL('../../../accounting-corpus/cases', import.meta.url).pathname;

/**
 * Imports the corpus before all tests of the file. The returned function damages a copy of that log
 * and returns what reconcile finds. Views are rebuilt from the damaged log unless told otherwise.
 */
export function damageToCorpus(directory: string) {
  let sound: CommandLine;
  beforeAll(async () => {
    sound = commandLine(directory);
    expect(await sound.run('import', '--pi', corpus)).toMatchObject({ code: 0 });
  });
  return async (
    damage: (database: DatabaseSync) => void,
    { isRebuilt = true } = {},
  ): Promise<{ code: number; faults: readonly string[] }> => {
    if (!isRebuilt) return reconcileDamaged(sound, corpus, damage);
    const damaged = sound.copy();
    damaged.change(damage);
    expect(await damaged.run('rebuild', 'sessions')).toMatchObject({ code: 0 });
    const { code, answer } = await damaged.reconcile('--pi', corpus);
    return { code, faults: faultsIn(answer) };
  };
}

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
    ref?: string;
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
