/** In which order files are asked for their units: the first that holds one owns it. Pure. */
import { type FileHeader, readTail, sessionIdInName } from './file-header.ts';

interface Headed {
  readonly path: string;
  readonly header: FileHeader;
}

/**
 * A fork is younger than its parent, whatever the clocks said: it is placed after its parent, even
 * if its header has an earlier time.
 */
export function inOrder<File extends Headed>(files: readonly File[]): File[] {
  // In whatever order the files were found: damaged headers may name each other.
  const found = files.toSorted(
    (left, right) => left.header.timeMs - right.header.timeMs || byPath(left, right),
  );
  const bySession = Map.groupBy(found, ({ header }) => header.sessionId);
  // A user may give a file a name that tells no session.
  const byTail = Map.groupBy(found, ({ path }) => readTail(path));
  const known = new Map<string, Generation>();
  const generationOf = ({ sessionId, timeMs, parentSession }: FileHeader): Generation => {
    const before = known.get(sessionId);
    if (before !== undefined) return before;
    known.set(sessionId, { timeMs, depth: 0 }); // a damaged header may name itself
    const named = parentSession ?? '';
    const [parent] =
      bySession.get(sessionIdInName(named) ?? named) ?? byTail.get(readTail(named)) ?? [];
    const above = parent === undefined ? null : generationOf(parent.header);
    const generation =
      above === null || above.timeMs < timeMs
        ? { timeMs, depth: 0 }
        : { timeMs: above.timeMs, depth: above.depth + 1 };
    known.set(sessionId, generation);
    return generation;
  };
  const placed = found.map((file) => ({ file, ...generationOf(file.header) }));
  placed.sort(
    (left, right) =>
      left.timeMs - right.timeMs || left.depth - right.depth || byPath(left.file, right.file),
  );
  return placed.map(({ file }) => file);
}

function byPath(left: Headed, right: Headed): number {
  return left.path < right.path ? -1 : 1;
}

interface Generation {
  /** The latest time among it and its ancestors. */
  readonly timeMs: number;
  /** How many of the sessions above it have that time. */
  readonly depth: number;
}
