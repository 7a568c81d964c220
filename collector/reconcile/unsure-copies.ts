/**
 * Records that count under two sessions of the log, in one of them without their price. A copy of
 * omp's `/tan` has no price, and a fork made under a set-back clock takes it for its own: its event
 * has another id than the original's. The log alone shows it when the files are gone. Reads the log
 * again only if there are such records.
 */
import { aboutUnit, difference } from './difference.ts';
import type { Findings } from './findings.ts';
import type { LogFacts } from './log-facts.ts';
import type { LogUnit } from './log-rows.ts';

export async function reportUnsureCopies(log: LogFacts, findings: Findings): Promise<void> {
  if (log.unsureUnpriced.size === 0) return;
  const counted = new Map<string, LogUnit[]>();
  for await (const found of log.unitsOf(new Set(log.sessions.keys()))) {
    const { identity } = found.unit;
    if (!log.unsureUnpriced.has(identity)) continue;
    counted.set(identity, [...(counted.get(identity) ?? []), found]);
  }
  for (const units of counted.values()) {
    const unpriced = units.filter(({ unit }) => unit.priceSource === 'unpriced');
    if (unpriced.length === units.length) continue;
    for (const { unit, position, eventId } of unpriced) {
      const { sessionId } = unit;
      const isKnown = findings
        .of(sessionId)
        .some((found) => found.reason === 'twice_in_log' && found.eventId === eventId);
      if (!isKnown)
        findings.add(
          sessionId,
          difference('twice_in_log', 1, { ...aboutUnit(unit), position, eventId }),
        );
    }
  }
}
