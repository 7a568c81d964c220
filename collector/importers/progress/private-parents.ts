/**
 * Private stretches of files that were read before: their subagents may come later, and their own
 * file may be gone by then. So a new version of the tables keeps them; files that are still there
 * are looked at again.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { PrivateStretches } from '../session/private/private-stretches.ts';
import type { NamedIn } from '../session/private/stretch-notes.ts';
import { readProgress } from './reading.ts';

export type SavedPrivateParents = ReadonlyMap<string, PrivateStretches>;

interface Row {
  readonly path: string;
  readonly said: string;
}

/** What earlier versions did not say. */
const untold = {
  entries: [],
  laterRefs: [],
  namedRuns: [],
  beganAtMs: 0,
  parentSession: null,
  lastAtMs: 0,
  copiedUntilMs: 0,
  isDisordered: false,
};

type Saved = PrivateStretches & { readonly refs: readonly (NamedIn | string)[] };

function parsed(said: string): PrivateStretches {
  const saved = JSON.parse(said) as Saved;
  const fromMs = saved.stretches[0]?.fromMs ?? 0;
  const refs = saved.refs.map((named) =>
    typeof named === 'string' ? { ref: named, fromMs, saysSpend: false } : named,
  );
  return { ...untold, ...saved, refs };
}

export function preparePrivateParents(database: DatabaseSync, storeId: string) {
  const list = database.prepare('SELECT path, said FROM private_parents WHERE store = ?');
  return {
    all(): SavedPrivateParents {
      const rows = list.all(storeId) as unknown as readonly Row[];
      return new Map(rows.map(({ path, said }) => [path, parsed(said)]));
    },
    /** Writes what has changed. */
    save(before: SavedPrivateParents, after: SavedPrivateParents): void {
      const put = database.prepare('INSERT OR REPLACE INTO private_parents VALUES (?, ?, ?)');
      const remove = database.prepare('DELETE FROM private_parents WHERE store = ? AND path = ?');
      for (const path of before.keys()) if (!after.has(path)) remove.run(storeId, path);
      for (const [path, said] of after)
        if (before.get(path) !== said) put.run(storeId, path, JSON.stringify(said));
    },
  };
}

/** Ids of sessions that are private as a whole. `path`: of `imports.db`. */
export function readPrivateSessions(path: string, storeId: string): readonly string[] {
  return readProgress<readonly string[]>(path, [], (database) =>
    [...preparePrivateParents(database, storeId).all().values()]
      .filter(({ isWhole }) => isWhole)
      .map(({ sessionId }) => sessionId),
  );
}
