/** In which order files are asked for their units: the first that holds one owns it. Pure. */
import { type FileHeader, sessionIdInName } from './file-header.ts';

interface Headed {
  readonly path: string;
  readonly header: FileHeader;
}

/**
 * A fork is younger than its parent, whatever the clocks said: it is placed after its parent, even
 * if its header has an earlier time.
 */
export function inOrder<File extends Headed>(files: readonly File[]): File[] {
  const bySession = Map.groupBy(files, ({ header }) => header.sessionId);
  const known = new Map<string, Generation>();
  const generationOf = ({ sessionId, timeMs, parentSession }: FileHeader): Generation => {
    const found = known.get(sessionId);
    if (found !== undefined) return found;
    known.set(sessionId, { timeMs, depth: 0 }); // a damaged header may name itself
    const [parent] =
      bySession.get(sessionIdInName(parentSession ?? '') ?? parentSession ?? '') ?? [];
    const above = parent === undefined ? null : generationOf(parent.header);
    const generation =
      above === null || above.timeMs < timeMs
        ? { timeMs, depth: 0 }
        : { timeMs: above.timeMs, depth: above.depth + 1 };
    known.set(sessionId, generation);
    return generation;
  };
  const placed = files.map((file) => ({ file, ...generationOf(file.header) }));
  placed.sort(
    (left, right) =>
      left.timeMs - right.timeMs ||
      left.depth - right.depth ||
      (left.file.path < right.file.path ? -1 : 1),
  );
  return placed.map(({ file }) => file);
}

interface Generation {
  /** The latest time among it and its ancestors. */
  readonly timeMs: number;
  /** How many of the sessions above it have that time. */
  readonly depth: number;
}
