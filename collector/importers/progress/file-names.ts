/**
 * Finds subagents whose files tool results name in another Unicode form or case than they have: a
 * file system or a sync program wrote them so. A name that another file has exactly means that one.
 */
import type { DatabaseSync } from 'node:sqlite';
import { normalizeName } from '@pi-ledger/core/record/link';
import type { OtherName } from './other-names.ts';

/** Files that tool results name otherwise. */
export interface OtherFileNames {
  /** Parents of those that nothing else tells a parent of. */
  readonly parents: readonly ParentOfNamed[];
  /** What they were not told yet: `key` is the name, as a ref. */
  readonly names: readonly OtherName[];
}

interface ParentOfNamed {
  readonly path: string;
  /** It is the session of the tool result. */
  readonly session: string;
  readonly key: string;
  readonly before: string | null;
  readonly time: string;
}

const claimed = `
  SELECT key AS ref, session, 'turn:' || turn AS key, coalesce(turn_at, '') AS turnAt, time
  FROM claims WHERE store = :store AND key >= 'file:' AND key < 'file;'
`;

const likeIt = `
  SELECT path, session, own_ref AS ref, claimed_by_session AS before, started_at AS startedAt,
    placed_session IS NOT NULL OR awaited_file IS NOT NULL OR EXISTS (
      SELECT 1 FROM claims r
      WHERE r.store = f.store AND r.key = f.first_answer AND r.session <> f.session
    ) AS hasParent
  FROM files f WHERE store = :store AND own_form = :form
`;

const told = `
  SELECT 1 FROM told
  WHERE store = :store AND path = :path AND first_answer = '' AND session = :session AND key = :key
`;

interface Claim {
  readonly ref: string;
  readonly session: string;
  readonly key: string;
  readonly turnAt: string;
  readonly time: string;
}

interface Alike {
  readonly path: string;
  readonly session: string | null;
  readonly ref: string;
  readonly before: string | null;
  readonly startedAt: string | null;
  readonly hasParent: number;
}

export function prepareFileNames(database: DatabaseSync, store: string): () => OtherFileNames {
  const allClaimed = database.prepare(claimed);
  const filesLike = database.prepare(likeIt);
  const isTold = database.prepare(told);

  function pairs(): readonly (readonly [Claim, Alike])[] {
    const claims = allClaimed.all({ store }) as unknown as Claim[];
    const named = new Set(claims.map(({ ref }) => ref));
    return [...Map.groupBy(claims, ({ ref }) => ref)].flatMap(([ref, ofRef]) => {
      const alike = filesLike.all({ store, form: normalizeName(ref) }) as unknown as Alike[];
      if (alike.some((file) => file.ref === ref)) return [];
      const files = alike.filter((file) => !named.has(file.ref));
      return files.flatMap((file) => ofRef.map((claim) => [claim, file] as const));
    });
  }

  return () => {
    const meant = pairs().filter(([claim, file]) => isMeant(claim, file));
    return {
      parents: meant
        .filter(([, file]) => file.hasParent === 0)
        .map(([{ session, key, time }, { path, before }]) => ({
          path,
          session,
          key,
          before,
          time,
        })),
      names: meant
        .map(([{ session, ref }, { path }]) => ({ path, session, key: ref }))
        .filter((name) => isTold.get({ store, ...name }) === undefined),
    };
  };
}

/** A subagent began after the turn that called it. */
function isMeant({ session, turnAt }: Claim, file: Alike): boolean {
  return file.session !== null && file.session !== session && turnAt <= (file.startedAt ?? '');
}
