/**
 * Where the collector's memory levels off: it receives events, and after each part the kernel
 * reports the resident memory, and V8 what is left after a collection. Once with defaults, once
 * with a small young generation, as in `deploy/`.
 */
import type { Benchmark, BenchOptions, Row } from './benchmark.ts';
import { startCollector } from './collector-process.ts';
import { demoEvents, inBatches } from './demo-events.ts';
import { type Batch, sendBatches } from './ingest/send.ts';
import { type Memory, memoryReports } from './soak/memory-reports.ts';
import { withTemporaryDirectory } from './temporary-directory.ts';

const eventsDefault = 1_000_000;
const parts = 10;
const batchEvents = 100;
const connections = 4;
const residentMegabytesMax = 500;

export const soak: Benchmark = {
  name: 'soak',
  budget:
    `the collector stays below ${residentMegabytesMax} MB resident, ` +
    'however many events it takes in',
  async run(options) {
    const asItIs = await withTemporaryDirectory((home) => measure('as it is', [], home, options));
    const young = await withTemporaryDirectory((home) =>
      measure('semi-spaces of 16 MB', ['--max-semi-space-size=16'], home, options),
    );
    return [...asItIs, ...young];
  },
};

async function measure(
  what: string,
  nodeOptions: readonly string[],
  home: string,
  options: BenchOptions,
): Promise<Row[]> {
  const events = options.events ?? eventsDefault;
  const collector = await startCollector({
    home,
    nodeOptions: [...nodeOptions, ...memoryReports.nodeOptions],
  });
  const rows: Row[] = [];
  let sent = 0;
  for (const part of inBatches(
    inBatches(demoEvents(events), batchEvents),
    Math.ceil(events / batchEvents / parts),
  )) {
    const batches = part.map(
      (batch): Batch => ({ body: Buffer.from(JSON.stringify(batch)), events: batch.length }),
    );
    sent += batches.reduce((sum, batch) => sum + batch.events, 0);
    await sendBatches(batches, { url: collector.url, connections, gzip: false });
    await collector.folded(sent);
    rows.push(
      rowOf(
        `${what}: ${sent.toLocaleString('en-US')} events`,
        await memoryReports.next(collector.pid, home),
      ),
    );
  }
  await collector.stop();
  return rows;
}

function rowOf(what: string, { rss, heapUsed, external }: Memory): Row {
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);
  return {
    what,
    measured: rss / 1e6,
    unit: 'MB',
    budget: { max: residentMegabytesMax },
    note:
      `after a collection the heap has ${megabytes(heapUsed)} MB, ` +
      `and ${megabytes(external)} MB are outside of it`,
  };
}
