/** Finds subagents whose claims became known after their own files were read. */
import type { DatabaseSync } from 'node:sqlite';
import type { SubagentParent } from '@pi-ledger/extension/record/entry-draft';
import type { AnswerClaim } from '../session/reader-state.ts';
import { prepareOtherNames } from './other-names.ts';

/**
 * A file that was read before everyone who claims its answers was known: another session claims a
 * subagent's first answer (the first of several claimants is the nearest parent), the parent's file
 * did not exist yet, or a claim turns out to belong to more sessions than were told.
 */
export interface LateChild {
  readonly path: string;
  readonly claimedBy: SubagentParent | null;
  /** It was read as a subagent of another session, which only repeats the nearest parent. */
  readonly isClaimedAnew: boolean;
  /** Claimants that were not told yet. */
  readonly alsoClaimedBy: readonly AnswerClaim[];
}

/**
 * CROSS JOIN looks up the claims of each file, because there can be many more claims than files.
 */
const parents = `
  SELECT f.path, c.session, 'turn:' || c.turn AS key, f.claimed_by_session AS before
  FROM files f CROSS JOIN claims c ON c.store = f.store AND c.key = f.first_answer
  WHERE f.store = :store AND f.session <> c.session
  AND coalesce(f.claimed_by_session, '') <> c.session
  AND NOT EXISTS (
    SELECT 1 FROM claims n
    WHERE n.store = c.store AND n.key = c.key AND n.session <> f.session
    AND (n.time, n.session) < (c.time, c.session)
  )
  UNION
  SELECT f.path, p.session, f.awaited_key, NULL
  FROM files f CROSS JOIN files p ON p.store = f.store AND p.path = f.awaited_file
  WHERE f.store = :store AND p.session IS NOT NULL AND p.session <> f.session
`;

/**
 * Subagents' answers, in their own files and in copies, with everyone who claims them. omp's claims
 * name a file beside the claiming one; the same claim attributed to another session counts too. So
 * does any claim of that name, if the file began during the turn that claims it and within a day of
 * the claim: the original may be gone, and a fork may take the copy for its own. A subagent's
 * subagent is left to the one between, if that is known.
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
    FROM files f CROSS JOIN claims c
    ON c.store = f.store AND c.key = f.placed_key AND c.holder = f.placed_session
    CROSS JOIN claims s ON s.store = c.store AND s.claim = c.claim
    WHERE f.store = :store AND s.session <> f.placed_session
    UNION
    SELECT f.path, '', c.session, c.key
    FROM files f CROSS JOIN claims c
    ON c.store = f.store AND c.key = coalesce(f.placed_key, f.awaited_key)
    WHERE f.store = :store AND c.session IS NOT f.placed_session AND c.session <> f.session
    AND coalesce(c.turn_at, '') <= f.started_at
    AND c.time BETWEEN f.started_at AND strftime('%Y-%m-%dT%H:%M:%fZ', f.started_at, '+1 day')
    AND (f.placed_session IS NULL OR instr(f.placed_key, '.') = 0)
  )
  SELECT w.path, w.answer, w.session, w.key FROM wanted w
  WHERE NOT EXISTS (
    SELECT 1 FROM told t
    WHERE t.store = :store AND t.path = w.path AND t.first_answer = w.answer
    AND t.session = w.session AND t.key = w.key
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
): () => readonly LateChild[] {
  const parentsOf = database.prepare(parents);
  const claimantsOf = database.prepare(claimants);
  const otherNames = prepareOtherNames(database, storeId);
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
    const byAnswer = claimantsOf.all({ store: storeId }) as unknown as ClaimantRow[];
    const byName = otherNames().map((named) => ({ ...named, answer: '' }));
    for (const { path, answer, session, key } of [...byAnswer, ...byName]) {
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
