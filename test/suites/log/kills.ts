/** What every log must contain after its process was killed with SIGKILL at random moments. */
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { Log } from '../../../collector/log/log.ts';
import { toRanges } from '../../../collector/log/ranges.ts';
import type { StoredEvent } from '../../../collector/log/stored-event.ts';
import { eventId } from '../../collector/support/events.ts';
import { batchEvents } from './append-for-ever.ts';

export interface KillOptions {
  /**
   * A program that opens the store in its first argument and appends from the number in its second.
   */
  readonly child: URL;
  /** A new store, as the child's first argument. */
  newStore(): string;
  open(store: string): Promise<Log>;
  /** Whether batches are stored as a whole or not at all; otherwise the leading events may be. */
  readonly isAtomic: boolean;
}

const rounds = 8;
const killAfterMsMax = 120;

export function logKillSuite(name: string, options: KillOptions): void {
  const stored = options.isAtomic ? 'whole batches' : 'leading parts of batches';
  it(`log: ${name} has every acknowledged event once, and ${stored}, after kill -9`, async () => {
    const store = options.newStore();
    const acked = new Set<number>();
    for (let round = 0; round < rounds; round += 1) {
      for (const first of await appendUntilKilled(options.child, store, 1 + round * 1_000_000))
        acked.add(first);
      const log = await options.open(store);
      const stored = await log.read(0, 10_000_000);
      expectSound(stored, acked, options.isAtomic);
      const sequences = stored.map(({ event }) => Number(event.sequence));
      expect(await log.receipts()).toEqual([
        { source: '/producers/one', ranges: toRanges(sequences) },
      ]);
      await log.close();
    }
    expect(acked.size).toBeGreaterThan(0);
  });
}

/**
 * Positions without gaps, each event once, everything acknowledged, and of each batch all events or
 * the leading ones.
 */
export function expectSound(
  stored: readonly StoredEvent[],
  ackedFirsts: ReadonlySet<number>,
  isAtomic: boolean,
): void {
  expect(stored.map(({ position }) => position)).toEqual(stored.map((_, index) => index + 1));
  const ids = stored.map(({ event }) => event.id);
  expect(new Set(ids).size).toBe(ids.length);
  const byBatch = Map.groupBy(stored, ({ event }) => firstOfBatch(Number(event.sequence)));
  for (const [first, events] of byBatch) {
    expect(events.map(({ event }) => event.id)).toEqual(
      events.map((_, index) => eventId(first + index)),
    );
    if (isAtomic || ackedFirsts.has(first)) expect(events).toHaveLength(batchEvents);
  }
  expect([...ackedFirsts].filter((first) => !byBatch.has(first))).toEqual([]);
}

function firstOfBatch(number: number): number {
  return number - (((number - 1) % 1_000_000) % batchEvents);
}

async function appendUntilKilled(child: URL, store: string, first: number): Promise<number[]> {
  const running = spawn(process.execPath, [fileURLToPath(child), store, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const chunks: string[] = [];
  running.stdout.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  await new Promise((resolve) => running.stdout.once('data', resolve));
  await sleep(Math.random() * killAfterMsMax);
  running.kill('SIGKILL');
  await new Promise((resolve) => running.once('close', resolve));
  return chunks.join('').split('\n').slice(0, -1).map(Number);
}
