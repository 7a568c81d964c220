/** Records that an administrator took back: files have them, the log counts them no longer. */
import { aboutUnit, difference } from './difference.ts';
import type { FileFacts } from './files/file-facts.ts';
import type { Json } from './files/usage-figures.ts';
import type { Findings } from './findings.ts';
import { readEvent } from './log-events.ts';
import type { LogFacts } from './log-facts.ts';

export interface WithdrawnUnits {
  /** Takes what the log says of a withdrawn event. */
  add(event: Json): void;
  has(entryId: string, at: string): boolean;
  /** By the session that the event names. */
  countOf(sessionId: string): number;
}

export function createWithdrawnUnits(): WithdrawnUnits {
  const units = new Set<string>();
  const counts = new Map<string, number>();
  return {
    add(event) {
      const said = readEvent(event);
      if (said.about !== 'unit') return;
      const { entryId = '', at = '' } = aboutUnit(said.unit);
      units.add(JSON.stringify([entryId, at]));
      const { sessionId } = said.unit;
      counts.set(sessionId, (counts.get(sessionId) ?? 0) + 1);
    },
    has: (entryId, at) => units.has(JSON.stringify([entryId, at])),
    countOf: (sessionId) => counts.get(sessionId) ?? 0,
  };
}

/** Marks what is missing because it was withdrawn. */
export function reportWithdrawn(
  { sessions }: FileFacts,
  { withdrawn }: LogFacts,
  findings: Findings,
): void {
  for (const sessionId of sessions.keys()) {
    const inLog = withdrawn.countOf(sessionId);
    findings.replace(sessionId, (found) => {
      const { reason, count, at = '', entryId = '', file } = found;
      const isWithdrawn =
        (reason === 'missing_in_log' && withdrawn.has(entryId, at)) ||
        (reason === 'not_imported' && inLog > 0 && inLog >= count);
      return isWithdrawn
        ? difference('withdrawn', count, file === undefined ? {} : { file })
        : found;
    });
  }
}
