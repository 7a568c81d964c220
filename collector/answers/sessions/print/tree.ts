/** Session trees as text: forks and subagents below the session that they come from. Pure. */

import type { UsageFigures } from '@pi-ledger/contract/answers';
import { sumFigures } from '../../spend/sum-figures.ts';

export interface TreeSession extends UsageFigures {
  readonly id: string;
  readonly parentSessionId: string | null;
  readonly rootSessionId: string;
  readonly startedAt: string;
}

export interface SessionTree<Session extends TreeSession> {
  readonly rootSessionId: string;
  /** The sum of all its sessions. */
  readonly total: UsageFigures;
  /** By start. The root is missing if it was never recorded or its project is ignored. */
  readonly sessions: readonly Session[];
}

/** `label` includes the branches; `session` is null for the line that sums up the whole tree. */
export interface TreeLine<Session extends TreeSession> {
  readonly label: string;
  readonly session: Session | null;
  readonly figures: UsageFigures;
}

/** One tree for each root, in the order of `roots`. */
export function treesOf<Session extends TreeSession>(
  roots: readonly string[],
  sessions: readonly Session[],
): SessionTree<Session>[] {
  const byRoot = Map.groupBy(sessions, ({ rootSessionId }) => rootSessionId);
  return [...new Set(roots)].map((rootSessionId) => {
    const members = (byRoot.get(rootSessionId) ?? []).toSorted(compareStart);
    return { rootSessionId, total: sumFigures(members), sessions: members };
  });
}

/**
 * A session alone is one line. In a tree, the root's line has the subtotal, and a line below has
 * what the root itself spent. A session whose parent is not listed is placed below the root.
 * `nameOf` gives an id as it is shown.
 */
export function drawTree<Session extends TreeSession>(
  { rootSessionId, total, sessions }: SessionTree<Session>,
  nameOf: (id: string) => string,
): TreeLine<Session>[] {
  const root = sessions.find(({ id }) => id === rootSessionId) ?? null;
  if (root !== null && sessions.length === 1)
    return [{ label: nameOf(root.id), session: root, figures: root }];
  const head = root === null ? `${nameOf(rootSessionId)} (not listed)` : nameOf(rootSessionId);
  const lines: TreeLine<Session>[] = [
    { label: `${head}, ${countOf(sessions.length)}`, session: null, figures: total },
  ];
  const children = childrenIn(sessions, rootSessionId);
  // An explicit stack: a chain of forks may be longer than the call stack.
  const waiting = branchesOf(rootSessionId, '', children, root);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { session, indent, isLast } = next;
    const isRoot = session === root;
    lines.push({
      label: `${indent}${isLast ? '└─ ' : '├─ '}${isRoot ? 'itself' : nameOf(session.id)}`,
      session,
      figures: session,
    });
    if (!isRoot)
      waiting.push(
        ...branchesOf(session.id, bounded(`${indent}${isLast ? '   ' : '│  '}`), children, null),
      );
  }
  return lines;
}

function childrenIn<Session extends TreeSession>(
  sessions: readonly Session[],
  rootSessionId: string,
): Map<string, Session[]> {
  const listed = new Set(sessions.map(({ id }) => id));
  return Map.groupBy(
    sessions.filter(({ id }) => id !== rootSessionId),
    ({ parentSessionId }) =>
      parentSessionId !== null && listed.has(parentSessionId) ? parentSessionId : rootSessionId,
  );
}

const indentCharsMax = 24;
const cutIndent = '…  ';

/** Below eight levels, only the nearest branches. */
function bounded(indent: string): string {
  return indent.length <= indentCharsMax
    ? indent
    : cutIndent + indent.slice(cutIndent.length - indentCharsMax);
}

interface Branch<Session> {
  readonly session: Session;
  readonly indent: string;
  readonly isLast: boolean;
}

/** Last first, for the stack. */
function branchesOf<Session extends TreeSession>(
  id: string,
  indent: string,
  children: ReadonlyMap<string, readonly Session[]>,
  itself: Session | null,
): Branch<Session>[] {
  const below = [...(itself === null ? [] : [itself]), ...(children.get(id) ?? [])];
  return below
    .map((session, index) => ({ session, indent, isLast: index === below.length - 1 }))
    .reverse();
}

function compareStart(a: TreeSession, b: TreeSession): number {
  const [left, right] = [`${a.startedAt} ${a.id}`, `${b.startedAt} ${b.id}`];
  return left < right ? -1 : left > right ? 1 : 0;
}

function countOf(count: number): string {
  return `${count} session${count === 1 ? '' : 's'}`;
}
