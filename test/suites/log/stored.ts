/** Events that the suite of the log appends, and the contents of a log. */
import { expect } from 'vitest';
import type { AppendBatch, Log } from '../../../collector/log/log.ts';
import type { StoredEvent } from '../../../collector/log/stored-event.ts';

export interface LogUnderTest {
  readonly log: Log;
  /** Opens the same store again, after `log` was closed. */
  reopen(): Promise<Log>;
}

export const receivedAtMs = 1_795_300_000_000;

export function batchOf(events: AppendBatch['events']): AppendBatch {
  return { receivedAtMs, events, deadLetters: [] };
}

export function letter(body: string): AppendBatch['deadLetters'][number] {
  return { code: 'schema', field: '/data', message: 'It must be object.', body };
}

export async function readAll(log: Log): Promise<StoredEvent[]> {
  const all: StoredEvent[] = [];
  for (let after = 0; ; ) {
    const page = await log.read(after, 3);
    all.push(...page);
    if (page.length < 3) return all;
    after = page.at(-1)?.position ?? after;
  }
}

export function expectGapless(stored: readonly StoredEvent[]): void {
  const positions = stored.map(({ position }) => position);
  expect(positions).toEqual(positions.map((_, index) => index + 1));
}

export function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1;
}
