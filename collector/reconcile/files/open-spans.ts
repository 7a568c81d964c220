/** When stretches of a session end, of which several files tell. */
import type { Hiding } from './hidden-subagents.ts';
import type { SessionFile } from './session-files.ts';

/** A copy of a file that was made in a stretch does not know its end; a newer one does. */
export function endOpenSpans(hiding: ReadonlyMap<SessionFile, readonly Hiding[]>): void {
  const bySession = Map.groupBy([...hiding], ([{ header }]) => header.sessionId);
  for (const copies of bySession.values()) {
    const spans = copies.flatMap(([, parts]) => parts.flatMap((told) => told.spans));
    for (const span of spans) {
      const ends = spans.flatMap(({ from, to }) =>
        from === span.from && Number.isFinite(to) ? [to] : [],
      );
      if (span.to === Number.POSITIVE_INFINITY && ends.length > 0) span.to = Math.max(...ends);
    }
  }
}
