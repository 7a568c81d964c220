/** Finds subagents whose claims became known after their own files were read. */
import type { DatabaseSync } from 'node:sqlite';
import type { SubagentParent } from '@pi-ledger/core/record/entry-draft';
import type { AnswerClaim, ProvenTie } from '../proofs.ts';
import { prepareFileNames } from './file-names.ts';
import { type ParentRow, prepareNearerParents } from './nearer-parents.ts';
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
  /** Tool results that are about it, and were not told so yet. */
  readonly ties?: readonly ProvenTie[];
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
 * subagent is left to the one between, if that is known, and one whose parent's file was awaited to
 * that parent.
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
    AND NOT EXISTS (
      SELECT 1 FROM files p
      WHERE p.store = f.store AND p.path = f.awaited_file AND p.session = c.session
    )
  )
  SELECT w.path, w.answer, w.session, w.key FROM wanted w
  WHERE NOT EXISTS (
    SELECT 1 FROM told t
    WHERE t.store = :store AND t.path = w.path AND t.first_answer = w.answer
    AND t.session = w.session AND t.key = w.key
  )
`;

/**
 * Sessions that a tool result names, by id or by file, and that began after the turn that called
 * the tool. Those below their parent's file need nobody to name them, and answers that are claimed
 * one by one name a parent already. The first claimant is the parent: it was there first.
 */
const named = `
  SELECT f.path, c.session, 'turn:' || c.turn AS key, f.claimed_by_session AS before, c.time
  FROM files f CROSS JOIN claims c
  ON c.store = f.store AND c.key IN ('session:' || f.session, f.own_ref)
  WHERE f.store = :store AND f.placed_session IS NULL AND f.awaited_file IS NULL
  AND f.session <> c.session AND coalesce(c.turn_at, '') <= f.started_at
  AND NOT EXISTS (
    SELECT 1 FROM claims r
    WHERE r.store = f.store AND r.key = f.first_answer AND r.session <> f.session
  )
`;

/**
 * Sessions whose header names the session of a tool result that names nobody, and that spent in a
 * run what the result says, to the token.
 */
const equal = `
  SELECT f.path, c.session, 'turn:' || c.turn AS key, f.claimed_by_session AS before, c.time,
    c.claim AS entry
  FROM runs r CROSS JOIN files f ON f.store = r.store AND f.path = r.path
  CROSS JOIN claims c ON c.store = r.store AND c.key = r.key
  WHERE r.store = :store AND c.session = f.named_parent AND c.time >= f.started_at
  AND NOT EXISTS (
    SELECT 1 FROM ties t
    WHERE t.store = r.store AND t.path = r.path AND t.session = c.session AND t.entry = c.claim
  )
  ORDER BY c.time DESC, c.claim DESC
`;

/**
 * Sessions whose own files nobody read, but whose answers a fork copied, and that spent in a run
 * what a tool result says within a day, to the token. Only their headers would name the parent.
 */
const forked = `
  SELECT r.path, r.answer, c.session, 'turn:' || c.turn AS key
  FROM copied_runs r CROSS JOIN claims c ON c.store = r.store AND c.key = r.key
  CROSS JOIN files f ON f.store = r.store AND f.path = r.path
  WHERE r.store = :store AND c.session <> r.session AND c.session <> f.session
  AND c.time BETWEEN r.began_at AND strftime('%Y-%m-%dT%H:%M:%fZ', r.began_at, '+1 day')
  AND NOT EXISTS (SELECT 1 FROM files o WHERE o.store = r.store AND o.session = r.session)
  AND NOT EXISTS (
    SELECT 1 FROM told t
    WHERE t.store = r.store AND t.path = r.path AND t.first_answer = r.answer
    AND t.session = c.session
  )
  ORDER BY c.time, c.claim
`;

interface NamedRow extends ParentRow {
  readonly time: string;
}

interface EqualRow extends NamedRow {
  readonly entry: string;
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
  const [parentsOf, claimantsOf, namedOf, equalOf, forkedOf] = [
    parents,
    claimants,
    named,
    equal,
    forked,
  ].map((query) => {
    const statement = database.prepare(query);
    return () => statement.all({ store: storeId }) as unknown[];
  }) as [Rows<ParentRow>, Rows<ClaimantRow>, Rows<NamedRow>, Rows<EqualRow>, Rows<ClaimantRow>];
  const otherNames = prepareOtherNames(database, storeId);
  const fileNames = prepareFileNames(database, storeId);
  const nearerParents = prepareNearerParents(database, storeId);
  return () => {
    const found = createFound();
    for (const row of nearerParents()) found.claim(row);
    for (const row of equalOf()) found.tie(row);
    const otherwise = fileNames();
    for (const row of firstClaimants([...namedOf(), ...otherwise.parents])) found.claim(row);
    for (const row of parentsOf()) found.claim(row);
    const byName = [...otherwise.names, ...otherNames()].map((row) => ({ ...row, answer: '' }));
    for (const row of [...claimantsOf(), ...forkedOf(), ...byName]) found.claimToo(row);
    return found.list();
  };
}

/** One of each file. */
function firstClaimants(rows: readonly NamedRow[]): Iterable<NamedRow> {
  return new Map(rows.toSorted(lastFirst).map((each) => [each.path, each])).values();
}

function lastFirst(left: NamedRow, right: NamedRow): number {
  return inOrder(right.time, left.time) || inOrder(right.session, left.session);
}

function inOrder(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function createFound() {
  const found = new Map<string, LateChild>();
  const change = (path: string, by: (known: LateChild) => Partial<LateChild>): void => {
    const known = found.get(path) ?? emptyLateChild(path);
    found.set(path, { ...known, ...by(known) });
  };
  const claim = ({ path, session, key, before }: ParentRow): void => {
    const claimedBy = { sessionId: session, key };
    if (before !== session) change(path, () => ({ claimedBy, isClaimedAnew: before !== null }));
  };
  return {
    claim,
    tie(row: EqualRow): void {
      const { path, session: sessionId, entry: entryId, time, before } = row;
      if (before === null) claim(row);
      change(path, ({ ties = [] }) => ({ ties: [...ties, { sessionId, entryId, time }] }));
    },
    claimToo({ path, answer, session, key }: ClaimantRow): void {
      const firstAnswer = answer === '' ? null : answer;
      const told = { firstAnswer, parent: { sessionId: session, key } };
      change(path, ({ alsoClaimedBy }) => ({ alsoClaimedBy: [...alsoClaimedBy, told] }));
    },
    list: () => [...found.values()],
  };
}

type Rows<Row> = () => Row[];

function emptyLateChild(path: string): LateChild {
  return { path, claimedBy: null, isClaimedAnew: false, alsoClaimedBy: [] };
}
