/**
 * The numbers of one generation's dimension words. A new word gets its number in the caller's
 * transaction.
 */
import type { DatabaseSync } from 'node:sqlite';
import { dictionaryTable } from './tables.ts';

export interface Dictionary {
  idOf(dimension: string, word: string): number;
}

/** Words kept in memory. At the limit all are dropped, which costs a lookup each. */
const wordsMax = 50_000;

export function createDictionary(database: DatabaseSync, generation: number): Dictionary {
  const table = dictionaryTable(generation);
  const select = database.prepare(`SELECT id FROM ${table} WHERE dimension = ? AND word = ?`);
  const insert = database.prepare(`INSERT INTO ${table} (dimension, word) VALUES (?, ?)`);
  const known = new Map<string, Map<string, number>>();
  let size = 0;

  function remember(dimension: string, word: string, id: number): number {
    if (size >= wordsMax) {
      known.clear();
      size = 0;
    }
    const ids = known.get(dimension) ?? new Map<string, number>();
    known.set(dimension, ids.set(word, id));
    size += 1;
    return id;
  }

  return {
    idOf(dimension, word) {
      const id = known.get(dimension)?.get(word);
      if (id !== undefined) return id;
      const row = select.get(dimension, word) as { id: number } | undefined;
      return remember(
        dimension,
        word,
        row?.id ?? Number(insert.run(dimension, word).lastInsertRowid),
      );
    },
  };
}
