/** Records that an administrator took back, as the log has them. Pure. */
import { aboutUnit } from './difference.ts';
import type { Json } from './files/usage-figures.ts';
import { readEvent } from './log-events.ts';

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
