import { totalIn } from '../../../../collector/reconcile/counted.ts';
import type { LogFacts } from '../../../../collector/reconcile/log-facts.ts';
import { anEvent } from './two-sides.ts';

export type Json = Record<string, unknown>;

/** `session records nano` for sessions with records. */
export function countedBy({ sessions }: LogFacts): readonly string[] {
  return [...sessions.values()]
    .map(({ sessionId, sums }) => ({ sessionId, units: sums.units, total: totalIn(sums.byKind) }))
    .filter(({ units }) => units !== 0)
    .map(({ sessionId, units, total }) => `${sessionId} ${units} ${total.nanoUsd}`);
}

export async function unitsOf(
  facts: LogFacts,
  ...sessions: readonly string[]
): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { unit, position, eventId, imported } of facts.unitsOf(new Set(sessions))) {
    found.push(
      `${unit.sessionId} ${unit.entryId} ${position} ${eventId} ${imported ? 'imported' : 'live'}`,
    );
  }
  return found;
}

export function moved(role: 'in' | 'out', subject: string, entry: Json, more: Json = {}): Json {
  const { subject: _, id, source: __, time, ...rest } = entry;
  return {
    ...anEvent('pi.entry.moved.v1', subject, 9, { eventId: id, role, event: rest, ...more }),
    time,
  };
}
