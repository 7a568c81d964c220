/** The demo's synthetic work as a load: the same events on every machine. */
import type { LedgerEvent } from '@pi-ledger/contract';
import { demoMonth } from '../../collector/cli/demo/month.ts';
import { loadCollectorConfig } from '../../collector/config/config.ts';
import { openLedger } from '../../collector/main.ts';

/** A past day, so that no event is in the future of the checking clock. */
const month = { until: new Date('2026-11-20T00:00:00Z'), days: 30, seed: 20 };
/** The volume of `pi-ledger demo`: about 32,000 events. */
const demoSessionsPerDay = 4;
const demoMonthEvents = 32_000;

/** Contract: exactly `count` events; more events are more sessions in the same month. */
export function* demoEvents(count: number): Generator<LedgerEvent> {
  const sessionsPerDay = Math.ceil((demoSessionsPerDay * count * 1.25) / demoMonthEvents);
  let made = 0;
  for (const event of demoMonth({ ...month, sessionsPerDay })) {
    if (made === count) return;
    made += 1;
    yield event;
  }
  if (made < count) throw new Error(`the demo made only ${made} of ${count} events`);
}

export function* inBatches<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let batch: Item[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const fillBatchEvents = 1_000;

/** Creates the store of a collector with this home, with folded views. Returns its path. */
export async function fillStore(home: string, count: number = demoMonthEvents): Promise<string> {
  const config = loadCollectorConfig({ PI_LEDGER_HOME: home });
  const ledger = await openLedger(config);
  try {
    for (const batch of inBatches(demoEvents(count), fillBatchEvents)) {
      const { accepted } = await ledger.ingest.accept(batch);
      if (accepted !== batch.length)
        throw new Error(`the store took ${accepted} of ${batch.length} events`);
    }
    await ledger.subscription.catchUp();
  } finally {
    await ledger.close();
  }
  return config.store.address;
}
