/** Reports records that their moves between sessions make count more or less than once. */
import { aboutUnit, difference } from './difference.ts';
import type { Findings } from './findings.ts';
import type { LogFacts } from './log-facts.ts';

export async function judgeMoves(
  log: Pick<LogFacts, 'unpaired' | 'sessions'>,
  findings: Findings,
): Promise<void> {
  for (const { sessionId, sums } of log.sessions.values())
    if (sums.units < 0) findings.add(sessionId, difference('moves_unpaired', -sums.units));
  for (const { eventId, unit, count } of await log.unpaired())
    findings.add(
      unit.sessionId,
      difference('moves_unpaired', 1, { ...aboutUnit(unit), eventId, inLog: `counts ${count}x` }),
    );
}
