/** What the log's suite appends, and all that a log holds. */
import { expect } from 'vitest';
import type { AppendBatch, Log } from '../../../collector/log/log.ts';
import type { StoredEvent } from '../../../collector/log/stored-event.ts';

export interface LogUnderTest {
  readonly log: Log;
  /** Opens the same store once more, after `log` was closed. */
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
  for (const partition of log.partitions) {
    for (let after = 0; ; ) {
      const page = await log.read(partition, after, 3);
      all.push(...page);
      if (page.length < 3) break;
      after = page.at(-1)?.position ?? after;
    }
  }
  return all;
}

export async function heads(log: Log): Promise<number> {
  const each = await Promise.all(log.partitions.map((partition) => log.head(partition)));
  return each.reduce((sum, head) => sum + head, 0);
}

export function expectGapless(stored: readonly StoredEvent[]): void {
  for (const partition of new Set(stored.map((each) => each.partition))) {
    const positions = stored
      .filter((each) => each.partition === partition)
      .map(({ position }) => position);
    expect(positions).toEqual(positions.map((_, index) => index + 1));
  }
}

export function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1;
}
