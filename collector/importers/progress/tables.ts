/** The tables of `imports.db`, and what they tell of subagents whose claims became known late. */
import type { DatabaseSync } from 'node:sqlite';
import type { LateChild, Progress } from './progress.ts';

/**
 * With another one it is begun anew, and every file is read once more. 6: sessions and turns say
 * when they began.
 */
export const progressVersion = 6;

export const dropped = `
  DROP TABLE IF EXISTS files; DROP TABLE IF EXISTS claims; DROP TABLE IF EXISTS copied_answers; DROP TABLE IF EXISTS told;
`;

export const schema = `
  CREATE TABLE IF NOT EXISTS files (
    store TEXT NOT NULL, path TEXT NOT NULL, stamp TEXT NOT NULL, bookmark TEXT, session TEXT, started_at TEXT, first_answer TEXT,
    placed_session TEXT, placed_key TEXT, awaited_file TEXT, awaited_key TEXT, claimed_by_session TEXT, claimed_by_key TEXT,
    is_failed INTEGER NOT NULL, issues TEXT, again_at_ms INTEGER,
    PRIMARY KEY (store, path)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS claims (
    store TEXT NOT NULL, key TEXT NOT NULL, claim TEXT NOT NULL, holder TEXT NOT NULL, session TEXT NOT NULL, turn TEXT NOT NULL,
    turn_at TEXT, time TEXT NOT NULL, is_certain INTEGER NOT NULL,
    PRIMARY KEY (store, key, claim, holder, session)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS claims_of_one ON claims (store, claim, session);
  CREATE TABLE IF NOT EXISTS copied_answers (
    store TEXT NOT NULL, path TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (store, path, key)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS told (
    store TEXT NOT NULL, path TEXT NOT NULL, first_answer TEXT NOT NULL, session TEXT NOT NULL, key TEXT NOT NULL,
    PRIMARY KEY (store, path, first_answer, session, key)
  ) STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${progressVersion};
`;

/** CROSS JOIN: for each file its claims. There can be many more claims than files. */
const parents = `
  SELECT f.path, c.session, 'turn:' || c.turn AS key, f.claimed_by_session AS before
  FROM files f CROSS JOIN claims c ON c.store = f.store AND c.key = f.first_answer
  WHERE f.store = :store AND f.session <> c.session AND coalesce(f.claimed_by_session, '') <> c.session
  AND NOT EXISTS (
    SELECT 1 FROM claims n WHERE n.store = c.store AND n.key = c.key AND n.session <> f.session AND (n.time, n.session) < (c.time, c.session)
  )
  UNION
  SELECT f.path, p.session, f.awaited_key, NULL FROM files f CROSS JOIN files p ON p.store = f.store AND p.path = f.awaited_file
  WHERE f.store = :store AND p.session IS NOT NULL AND p.session <> f.session
`;

/**
 * Answers of subagents by whoever claims them, in their own files and in copies. A claim of omp's
 * names a file beside the claim's; the same claim, where it was said to be another session's, is
 * told of too. So is one of that name that may be a copy of it, or where the parent is not known,
 * if the file was begun while the turn that claims it went on: the original may be gone, and a fork
 * take the copy for its own.
 */
const claimants = `
  WITH answers AS (
    SELECT store, path, first_answer AS answer FROM files WHERE first_answer IS NOT NULL
    UNION SELECT store, path, key FROM copied_answers
  ), wanted AS (
    SELECT a.path, a.answer, c.session, 'turn:' || c.turn AS key
    FROM answers a CROSS JOIN claims c ON c.store = a.store AND c.key = a.answer
    WHERE a.store = :store
    UNION
    SELECT f.path, '', s.session, f.placed_key
    FROM files f CROSS JOIN claims c ON c.store = f.store AND c.key = f.placed_key AND c.holder = f.placed_session
    CROSS JOIN claims s ON s.store = c.store AND s.claim = c.claim
    WHERE f.store = :store AND s.session <> f.placed_session
    UNION
    SELECT f.path, '', c.session, c.key
    FROM files f CROSS JOIN claims c ON c.store = f.store AND c.key = coalesce(f.placed_key, f.awaited_key)
    WHERE f.store = :store AND c.session IS NOT f.placed_session AND c.session <> f.session
    AND coalesce(c.turn_at, '') <= f.started_at AND f.started_at <= c.time AND (c.is_certain = 0 OR f.placed_session IS NULL)
  )
  SELECT w.path, w.answer, w.session, w.key FROM wanted w
  WHERE NOT EXISTS (
    SELECT 1 FROM told t
    WHERE t.store = :store AND t.path = w.path AND t.first_answer = w.answer AND t.session = w.session AND t.key = w.key
  )
`;

interface ParentRow {
  readonly path: string;
  readonly session: string;
  readonly key: string;
  readonly before: string | null;
}

interface ClaimantRow {
  readonly path: string;
  readonly answer: string;
  readonly session: string;
  readonly key: string;
}

export function prepareLateChildren(
  database: DatabaseSync,
  storeId: string,
): Progress['lateChildren'] {
  const parentsOf = database.prepare(parents);
  const claimantsOf = database.prepare(claimants);
  return () => {
    const found = new Map<string, LateChild>();
    for (const { path, session, key, before } of parentsOf.all({
      store: storeId,
    }) as unknown as ParentRow[])
      found.set(path, {
        path,
        claimedBy: { sessionId: session, key },
        isClaimedAnew: before !== null,
        alsoClaimedBy: [],
      });
    for (const { path, answer, session, key } of claimantsOf.all({
      store: storeId,
    }) as unknown as ClaimantRow[]) {
      const known = found.get(path) ?? {
        path,
        claimedBy: null,
        isClaimedAnew: false,
        alsoClaimedBy: [],
      };
      const claim = {
        firstAnswer: answer === '' ? null : answer,
        parent: { sessionId: session, key },
      };
      found.set(path, { ...known, alsoClaimedBy: [...known.alsoClaimedBy, claim] });
    }
    return [...found.values()];
  };
}
