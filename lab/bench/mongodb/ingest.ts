/**
 * The demo's events over HTTP into a collector with a MongoDB store, then the same documents by
 * bare insertMany into a collection with the log's two unique keys. The first tenth is warm-up and
 * not counted.
 */
import { type Collection, type Document, MongoClient } from 'mongodb';
import type { Row } from '../benchmark.ts';
import { type CollectorProcess, startCollector } from '../collector-process.ts';
import { demoEvents, inBatches } from '../demo-events.ts';
import { type Batch, sendBatches } from '../ingest/send.ts';

const batchEvents = 500;
const connections = 4;
const shareMin = 0.6;

export async function measureIngest(
  uri: string,
  home: string,
  events: number,
): Promise<readonly Row[]> {
  const batches = [...inBatches(demoEvents(events), batchEvents)].map(
    (batch): Batch => ({ body: Buffer.from(JSON.stringify(batch)), events: batch.length }),
  );
  const warmUp = batches.slice(0, Math.ceil(batches.length / 10));
  const counted = events - warmUp.length * batchEvents;
  const collector = await startCollector({ home, store: uri });
  const { acknowledgedSeconds, foldedSeconds, megabytes } = await throughCollector(
    collector,
    batches,
    warmUp.length,
  ).finally(collector.stop);

  const bare = counted / (await bareSeconds(uri, warmUp.length * batchEvents));
  const baseline = { what: 'insertMany', measured: bare };
  const note =
    `${(counted / 1_000).toFixed(0)}k events, ` +
    `batches of ${batchEvents} over ${connections} connections`;
  return [
    {
      what: 'acknowledged',
      measured: counted / acknowledgedSeconds,
      unit: 'events/s',
      budget: { min: bare * shareMin },
      baseline,
      note,
    },
    {
      what: 'folded into every view',
      measured: counted / foldedSeconds,
      unit: 'events/s',
      baseline,
      note,
    },
    { what: 'resident after it', measured: megabytes, unit: 'MB' },
  ];
}

async function throughCollector(
  collector: CollectorProcess,
  batches: readonly Batch[],
  warmUpBatches: number,
) {
  const send = { url: collector.url, connections, gzip: false };
  await sendBatches(batches.slice(0, warmUpBatches), send);
  await collector.folded(warmUpBatches * batchEvents);

  const startedMs = performance.now();
  await sendBatches(batches.slice(warmUpBatches), send);
  const acknowledgedSeconds = secondsSince(startedMs);
  await collector.folded(batches.reduce((sum, { events }) => sum + events, 0));
  return {
    acknowledgedSeconds,
    foldedSeconds: secondsSince(startedMs),
    megabytes: (await collector.residentBytes()) / 1e6,
  };
}

/** Seconds for all documents after the first `skipped`, which are inserted but not counted. */
async function bareSeconds(uri: string, skipped: number): Promise<number> {
  const client = await new MongoClient(uri, {
    useBigInt64: true,
    writeConcern: { w: 'majority', j: true },
  }).connect();
  try {
    const database = client.db();
    const bare = database.collection('bare');
    await bare.createIndex({ eventId: 1 }, { unique: true });
    const documents = await database.collection('events').find().sort({ _id: 1 }).toArray();
    await insert(bare, documents.slice(0, skipped));
    const startedMs = performance.now();
    await insert(bare, documents.slice(skipped));
    return secondsSince(startedMs);
  } finally {
    await client.close();
  }
}

/** Uses as many connections as the senders. */
async function insert(into: Collection<Document>, documents: readonly Document[]): Promise<void> {
  const batches = inBatches(documents, batchEvents);
  const insertOwn = async () => {
    for (const batch of batches) await into.insertMany(batch, { ordered: true });
  };
  await Promise.all(Array.from({ length: connections }, insertOwn));
}

function secondsSince(startedMs: number): number {
  return (performance.now() - startedMs) / 1_000;
}
