/** Takes events in until the store has so many; a line is kept for each part. */
import type { LedgerEvent } from '@pi-ledger/contract';
import { type CollectorProcess, startCollector } from '../collector-process.ts';
import { inBatches } from '../demo-events.ts';
import { type Batch, sendAll } from '../ingest/send.ts';
import { liveEvents } from '../live-work.ts';
import { seed } from '../overview/work.ts';
import { isPart } from './lines.ts';
import type { GrowthStore } from './stores.ts';

const partEvents = 100_000;
const batchEvents = 500;
const connections = 4;
/** As `deploy/` starts it. */
export const nodeOptions = ['--max-semi-space-size=16'];
/** Ten million events are ninety days of a thousand users, day by day. */
export const live = { sessionsOpen: 500, eventsMax: 4, sessionsPerDay: 760 };

export async function growTo(store: GrowthStore, goal: number): Promise<void> {
  let events = store.lines.all().filter(isPart).at(-1)?.events ?? 0;
  if (events >= goal) return;
  const source = liveEvents(live, events);
  const { home } = store.lines;
  const collector = await startCollector({ home, store: store.address, nodeOptions });
  try {
    for (let partOfProcess = 1; events < goal; partOfProcess += 1) {
      const count = Math.min(partEvents, goal - events);
      const batches = batchesOf(source, count);
      events += count;
      const figures = await takeIn(store, collector, batches, events);
      store.lines.add({ kind: 'part', seed, events, ...figures, partOfProcess });
      console.error(`  ${store.name}: ${events.toLocaleString('en-US')} events`);
    }
  } finally {
    await collector.stop();
  }
}

function batchesOf(source: Iterator<LedgerEvent>, count: number): readonly Batch[] {
  const events = Array.from({ length: count }, () => source.next().value as LedgerEvent);
  return [...inBatches(events, batchEvents)].map((batch) => ({
    body: Buffer.from(JSON.stringify(batch)),
    events: batch.length,
  }));
}

async function takeIn(
  store: GrowthStore,
  collector: CollectorProcess,
  batches: readonly Batch[],
  events: number,
) {
  let [accepted, repeated] = [0, 0];
  const [cpuBefore, serverBefore, startedMs] = [
    await collector.cpuSeconds(),
    await store.serverCpuSeconds(),
    performance.now(),
  ];
  await sendAll(batches, { url: collector.url, connections, gzip: false }, (ack, batch) => {
    accepted += ack.accepted;
    repeated += ack.duplicates;
    if (ack.accepted + ack.duplicates !== batch.events)
      throw new Error(`of ${batch.events} events were taken in: ${JSON.stringify(ack)}`);
  });
  await collector.folded(events);
  return {
    ...{ accepted, repeated },
    seconds: (performance.now() - startedMs) / 1_000,
    cpuSeconds: (await collector.cpuSeconds()) - cpuBefore,
    serverCpuSeconds: (await store.serverCpuSeconds()) - serverBefore,
    residentBytes: await collector.residentBytes(),
  };
}
