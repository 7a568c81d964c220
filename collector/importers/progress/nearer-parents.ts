/**
 * Finds subagents below a folder that is named like a session's file, where a nearer one was read
 * than the parent that they were read with.
 */
import type { DatabaseSync } from 'node:sqlite';
import { sessionRef } from '@pi-ledger/core/record/link';
import { filesAbove } from '@pi-ledger/core/record/placed-below';

/** A file, and the session whose subagent it is. */
export interface ParentRow {
  readonly path: string;
  /** The parent. */
  readonly session: string;
  readonly key: string;
  /** The parent that it was read with. */
  readonly before: string | null;
}

const below = `
  SELECT path, session, coalesce(claimed_by_session, placed_session) AS parent FROM files
  WHERE store = :store AND placed_key = 'session:' || session
`;
const sessionAt = 'SELECT session FROM files WHERE store = ? AND path = ? AND session IS NOT NULL';

interface BelowRow {
  readonly path: string;
  readonly session: string;
  readonly parent: string;
}

export function prepareNearerParents(
  database: DatabaseSync,
  storeId: string,
): () => readonly ParentRow[] {
  const [placedBelow, sessionOf] = [database.prepare(below), database.prepare(sessionAt)];
  /** The session of the nearest folder's file that was read, if that is another than its parent. */
  const nearer = ({ path, session, parent }: BelowRow): string | null => {
    for (const file of filesAbove(path)) {
      const row = sessionOf.get(storeId, file) as { readonly session: string } | undefined;
      if (row !== undefined && row.session !== session)
        return row.session === parent ? null : row.session;
    }
    return null;
  };
  return () =>
    (placedBelow.all({ store: storeId }) as unknown as BelowRow[]).flatMap((row) => {
      const session = nearer(row);
      const { path, parent: before } = row;
      return session === null ? [] : [{ path, session, key: sessionRef(row.session), before }];
    });
}
