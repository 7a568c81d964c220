/**
 * A load at a steady rate, as senders on their own make it: a batch is due by the clock, whether
 * the one before was answered or not. Where it cannot keep up it says by how much it was late.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LedgerEvent } from '@pi-ledger/contract';

export interface PacedLoad {
  readonly batches: Iterator<readonly LedgerEvent[]>;
  readonly eventsPerSecond: number;
  readonly seconds: number;
  /** Batches that are under way at once, at most. */
  readonly sendersMax: number;
  /** Rejects if it was not taken in. */
  send(events: readonly LedgerEvent[]): Promise<void>;
}

export interface Paced {
  readonly events: number;
  readonly batches: number;
  readonly seconds: number;
  readonly lateMsMax: number;
}

export async function playPaced(load: PacedLoad): Promise<Paced> {
  const { eventsPerSecond, seconds, sendersMax } = load;
  const startedMs = performance.now();
  let [events, batches, lateMsMax] = [0, 0, 0];

  /** Null: it is over. */
  function nextBatch(): { events: readonly LedgerEvent[]; dueMs: number } | null {
    const dueMs = startedMs + (events / eventsPerSecond) * 1_000;
    if (dueMs >= startedMs + seconds * 1_000) return null;
    const batch = (load.batches.next().value ?? []) as readonly LedgerEvent[];
    events += batch.length;
    batches += 1;
    return { events: batch, dueMs };
  }

  async function sendOwn(): Promise<void> {
    for (let next = nextBatch(); next !== null; next = nextBatch()) {
      const earlyMs = next.dueMs - performance.now();
      if (earlyMs > 0) await sleep(earlyMs);
      lateMsMax = Math.max(lateMsMax, performance.now() - next.dueMs);
      await load.send(next.events);
    }
  }

  await Promise.all(Array.from({ length: sendersMax }, sendOwn));
  return { events, batches, lateMsMax, seconds: (performance.now() - startedMs) / 1_000 };
}
