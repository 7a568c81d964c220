/**
 * What is certain of private stretches: enough to take back what was recorded, which cannot be
 * undone. Less is enough to leave a file unread. Pure.
 */
import type { PrivateParents, PrivateStretches, Stretch } from './private-stretches.ts';

/**
 * A stretch ends with what the file knows, times have to follow each other, and a name is that of a
 * session: ends of paths may be met twice.
 */
export function strictly(parents: PrivateParents): PrivateParents {
  const certain = [...withKnownEnds(parents)].flatMap(
    ([path, parent]): [string, PrivateStretches][] => {
      const { isWhole, isUnsure, isDisordered, lastAtMs, copiedUntilMs } = parent;
      if (isWhole) return isUnsure === true ? [] : [[path, parent]];
      if (isDisordered) return [];
      const stretches = parent.stretches.map(({ fromMs, toMs }) => ({
        fromMs,
        toMs: toMs ?? lastAtMs,
      }));
      const named = [...parent.refs.map(({ ref }) => ref), ...parent.laterRefs];
      const laterRefs = named.filter((ref) => ref.startsWith('session:'));
      // Of the session that it has forked, a fork knows what it has copied.
      const beganAtMs = Math.min(parent.beganAtMs, copiedUntilMs + 1);
      return [[path, { ...parent, beganAtMs, stretches, refs: [], laterRefs }]];
    },
  );
  return new Map(certain);
}

/** A copy of a file that was made in a stretch does not know its end; a newer one does. */
export function withKnownEnds(parents: PrivateParents): PrivateParents {
  const open = [...parents].filter(
    ([, parent]) => !parent.isWhole && parent.stretches.some(isOpen),
  );
  if (open.length === 0) return parents;
  const bySession = Map.groupBy(
    [...parents.values()].filter(({ isWhole }) => !isWhole),
    ({ sessionId }) => sessionId,
  );
  const ended = open.map(([path, parent]): [string, PrivateStretches] => {
    const known = (bySession.get(parent.sessionId) ?? []).flatMap(({ stretches }) => stretches);
    const stretches = parent.stretches.map(({ fromMs, toMs }) => ({
      fromMs,
      toMs: toMs ?? lastOf(known.filter((each) => each.fromMs === fromMs)),
    }));
    return [path, { ...parent, stretches }];
  });
  return new Map([...parents, ...ended]);
}

function lastOf(stretches: readonly Stretch[]): number | null {
  const ends = stretches.flatMap(({ toMs }) => toMs ?? []);
  return ends.length === 0 ? null : Math.max(...ends);
}

function isOpen({ toMs }: Stretch): boolean {
  return toMs === null;
}
