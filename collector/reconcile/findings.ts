/**
 * Collects differences by session. Explained ones of a kind are combined; faults are listed one by
 * one, up to a readable number.
 */
import { type Difference, difference } from './difference.ts';

export interface Findings {
  add(sessionId: string, found: Difference): void;
  of(sessionId: string): readonly Difference[];
  sessions(): Iterable<string>;
  /** Replaces a session's differences. */
  replace(sessionId: string, change: (found: Difference) => Difference): void;
}

/** The most differences listed per session; the rest are combined. */
const listedMax = 100;

export function createFindings(): Findings {
  const bySession = new Map<string, Map<string, Difference>>();

  function add(sessionId: string, found: Difference): void {
    const known = bySession.get(sessionId) ?? new Map<string, Difference>();
    bySession.set(sessionId, known);
    const isTogether = found.explained || known.size >= listedMax;
    const key = isTogether
      ? `${found.reason} ${found.otherSessionId ?? ''} ${found.file ?? ''}`
      : JSON.stringify(found);
    const before = known.get(key);
    known.set(key, before === undefined ? found : together(before, found));
  }

  return {
    add,
    of: (sessionId) => [...(bySession.get(sessionId)?.values() ?? [])],
    sessions: () => bySession.keys(),
    replace(sessionId, change) {
      const found = [...(bySession.get(sessionId)?.values() ?? [])];
      bySession.delete(sessionId);
      for (const each of found) add(sessionId, change(each));
    },
  };
}

/** Keeps what both have in common. */
function together(first: Difference, second: Difference): Difference {
  const { otherSessionId, file, line } = first;
  return difference(first.reason, first.count + second.count, {
    ...(otherSessionId !== undefined && { otherSessionId }),
    ...(file !== undefined && file === second.file && { file }),
    ...(line !== undefined && file === second.file && { line }),
  });
}
