/** Reports records that their moves between sessions make count more or less than once. */
import { aboutUnit, difference } from './difference.ts';
import { addUnit, noSums, type SessionSums, sameSums } from './figures.ts';
import type { FileFacts } from './files/file-facts.ts';
import type { Findings } from './findings.ts';
import type { LogFacts } from './log-facts.ts';
import type { LogUnit } from './log-rows.ts';

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

interface Sides {
  readonly files: Pick<FileFacts, 'sessions'>;
  readonly log: Pick<LogFacts, 'sessions' | 'lastPosition'>;
  readonly inLog: readonly LogUnit[];
}

/**
 * Reports sessions whose records are those of the file, one by one, while their sum in the log is
 * another: a move took something out that was never there. After `judgeMoves`, which names single
 * records.
 */
export function judgeSums(
  sessionIds: ReadonlySet<string>,
  { files, log, inLog }: Sides,
  findings: Findings,
): void {
  const oneByOne = new Map<string, SessionSums>();
  for (const { unit, position } of inLog) {
    // The sums do not have what a running collector has taken since.
    if (position > log.lastPosition()) continue;
    const sums = oneByOne.get(unit.sessionId) ?? noSums();
    oneByOne.set(unit.sessionId, sums);
    addUnit(sums, unit);
  }
  for (const sessionId of sessionIds) {
    const inFile = files.sessions.get(sessionId)?.sums;
    const summed = log.sessions.get(sessionId)?.sums;
    const read = oneByOne.get(sessionId) ?? noSums();
    const isNamed = findings.of(sessionId).some(({ reason }) => reason === 'moves_unpaired');
    if (inFile === undefined || summed === undefined || isNamed) continue;
    if (sameSums(inFile, read) && !sameSums(read, summed))
      findings.add(sessionId, difference('moves_unpaired', Math.abs(read.units - summed.units)));
  }
}
