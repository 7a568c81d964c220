/**
 * Answers that only event streams of hosts tell of. They count, as records of unknown cost, while
 * nothing else is known of their session. The files are compared with the log by how many there
 * are. Pure.
 */
import { difference } from './difference.ts';
import { streamedIn, turnsIn } from './figures.ts';
import type { FileFacts } from './files/file-facts.ts';
import type { Findings } from './findings.ts';
import type { LogFacts } from './log-facts.ts';

export function reportStreamed(files: FileFacts, log: LogFacts, findings: Findings): void {
  const streams = Map.groupBy(files.streams, ({ file }) => file.header.sessionId);
  for (const sessionId of new Set([...streams.keys(), ...log.sessions.keys()])) {
    const sums = log.sessions.get(sessionId)?.sums;
    const isKnown = log.isStarted(sessionId) || (sums !== undefined && turnsIn(sums) > 0n);
    if (isKnown || files.sessions.has(sessionId)) continue;
    const told = streams.get(sessionId) ?? [];
    const inFiles = new Set(told.flatMap(({ answers }) => [...answers.keys()])).size;
    const inLog = sums === undefined ? 0 : streamedIn(sums);
    const [first] = told;
    const where = first === undefined ? {} : { file: first.file.path };
    if (inLog > 0) findings.add(sessionId, difference('session_not_saved', inLog, where));
    if (inFiles > inLog)
      findings.add(sessionId, difference('not_imported', inFiles - inLog, where));
  }
}
