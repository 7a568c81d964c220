/** Sessions of one tree, each below the one it comes from. Pure. */
import type { Session } from '@pi-ledger/contract/answers';

export interface TreeRow<Row> {
  readonly session: Row;
  readonly depth: number;
}

type Related = Pick<Session, 'id' | 'parentSessionId' | 'startedAt'>;

/** The oldest first at each level. One whose parent is not there stands at the top. */
export function treeOf<Row extends Related>(sessions: readonly Row[]): readonly TreeRow<Row>[] {
  const known = new Set(sessions.map(({ id }) => id));
  const parentOf = ({ parentSessionId }: Row): string =>
    parentSessionId !== null && known.has(parentSessionId) ? parentSessionId : '';
  const oldest = sessions.toSorted((one, other) => one.startedAt.localeCompare(other.startedAt));
  const children = Map.groupBy(oldest, parentOf);
  const rowsBelow = (id: string, depth: number): readonly TreeRow<Row>[] =>
    (children.get(id) ?? []).flatMap((session) => [
      { session, depth },
      ...rowsBelow(session.id, depth + 1),
    ]);
  return rowsBelow('', 0);
}
