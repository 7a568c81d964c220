/**
 * Finds subagents that their parents claim by another name than the one they were recorded under:
 * the first copy of the file that was read had a name of its own (a sync program's `Kid (1)`), or a
 * file system wrote the name in another Unicode form or case.
 */
import type { DatabaseSync } from 'node:sqlite';
import { normalizeName } from '@pi-ledger/core/record/link';

/** A file whose records its parent claims by this key, too. */
export interface OtherName {
  readonly path: string;
  readonly session: string;
  readonly key: string;
}

/** Few: their own name is claimed by nobody, or another one was recorded first. */
const unmatched = `
  SELECT f.path, f.placed_session AS parent, f.placed_key AS key, n.key AS recorded
  FROM named n CROSS JOIN files f
  ON f.store = n.store AND f.session = n.session AND f.placed_session = n.parent
  WHERE n.store = :store AND f.placed_key LIKE 'agent:%' AND (f.placed_key <> n.key OR NOT EXISTS (
    SELECT 1 FROM claims c
    WHERE c.store = f.store AND c.key = f.placed_key AND c.holder = f.placed_session
  ))
`;

const claimed = `
  SELECT DISTINCT key FROM claims WHERE store = :store AND holder = :parent AND key LIKE 'agent:%'
`;

const told = `
  SELECT 1 FROM told
  WHERE store = :store AND path = :path AND first_answer = '' AND session = :parent AND key = :key
`;

interface Unmatched {
  readonly path: string;
  readonly parent: string;
  readonly key: string;
  readonly recorded: string;
}

export function prepareOtherNames(
  database: DatabaseSync,
  store: string,
): () => readonly OtherName[] {
  const unmatchedOf = database.prepare(unmatched);
  const claimedIn = database.prepare(claimed);
  const isTold = database.prepare(told);
  const keysIn = (parent: string) =>
    (claimedIn.all({ store, parent }) as unknown as { readonly key: string }[]).map(
      ({ key }) => key,
    );
  return () => {
    const byParent = Map.groupBy(
      unmatchedOf.all({ store }) as unknown as Unmatched[],
      ({ parent }) => parent,
    );
    return [...byParent].flatMap(([parent, files]) => {
      const keys = keysIn(parent);
      const byForm = Map.groupBy(keys, normalizeName);
      return files.flatMap(({ path, key, recorded }) => {
        const named = keys.includes(key) ? [key] : (byForm.get(normalizeName(key)) ?? []);
        return named
          .filter((name) => name !== recorded)
          .filter((name) => isTold.get({ store, path, parent, key: name }) === undefined)
          .map((name) => ({ path, session: parent, key: name }));
      });
    });
  };
}
