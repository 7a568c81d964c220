/**
 * Answers that the log knows from event streams alone, by session: they count while nothing else
 * is known of it. Pure.
 */
import { type SessionSums, setStreamed, turnsIn } from './figures.ts';

export interface StreamedInLog {
  add(sessionId: string): void;
  /** The session has a file, or was recorded live. */
  start(sessionId: string): void;
  isStarted(sessionId: string): boolean;
  /** Call after events were read. */
  settle(sumsOf: (sessionId: string) => SessionSums): void;
}

export function createStreamedInLog(): StreamedInLog {
  const answers = new Map<string, number>();
  const started = new Set<string>();
  return {
    add: (sessionId) => void answers.set(sessionId, (answers.get(sessionId) ?? 0) + 1),
    start: (sessionId) => void started.add(sessionId),
    isStarted: (sessionId) => started.has(sessionId),
    settle(sumsOf) {
      for (const [sessionId, count] of answers) {
        const sums = sumsOf(sessionId);
        setStreamed(sums, started.has(sessionId) || turnsIn(sums) > 0n ? 0 : count);
      }
    },
  };
}
