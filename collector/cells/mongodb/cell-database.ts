/**
 * The database as one cell of a ledger sees it. A cell has collections of its own, with its number
 * before their names, but for two that all cells share: `events`, where one unique key holds for
 * the ids of all cells (log/positions.ts says what is whose), and `tokens`. The first cell's have
 * no number: a ledger of one cell is like one that knows no cells.
 *
 * Guarantees: covers `collection` and `createCollection`, which is all that stores use.
 */
import type { CollectionOptions, Db } from 'mongodb';

const shared: ReadonlySet<string> = new Set(['events', 'tokens']);

export function cellDatabase(database: Db, cell: number): Db {
  if (cell === 0) return database;
  const nameIn = (name: string): string => (shared.has(name) ? name : `cell${cell}_${name}`);
  const replaced = {
    collection: (name: string, options?: CollectionOptions) =>
      database.collection(nameIn(name), options),
    createCollection: (name: string) => database.createCollection(nameIn(name)),
  };
  return new Proxy(database, {
    get: (target, key) =>
      Object.hasOwn(replaced, key)
        ? replaced[key as keyof typeof replaced]
        : Reflect.get(target, key, target),
  });
}
