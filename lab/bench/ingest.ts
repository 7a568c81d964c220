/**
 * The complete path of an event: HTTP, gzip, validation, durable log, views. A real collector
 * receives the demo's events over several connections until every view has folded them. The budget
 * is for one core, so it is compared with the CPU time of the collector, including all its threads
 * and the kernel's work for it; the sender is another process. The first tenth is warm-up and not
 * counted.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Benchmark, BenchOptions, Row } from './benchmark.ts';
import { startCollector } from './collector-process.ts';
import { demoEvents, inBatches } from './demo-events.ts';
import type { BaselineFigures } from './ingest/baseline.ts';
import { type Batch, sendBatches } from './ingest/send.ts';
import { runScript } from './run-program.ts';
import { withTemporaryDirectory } from './temporary-directory.ts';

const eventsDefault = 200_000;
const batchEvents = 500;
const connections = 4;
const eventsPerSecondMin = 60_000;

export const ingest: Benchmark = {
  name: 'ingest',
  budget:
    `HTTP to views, batches of ${batchEvents} over ${connections} connections: ` +
    `>= ${eventsPerSecondMin.toLocaleString('en-US')} events/s on one core`,
  run: (options) => withTemporaryDirectory((directory) => measure(directory, options)),
};

interface Figures extends BaselineFigures {
  readonly events: number;
}

async function measure(directory: string, options: BenchOptions): Promise<readonly Row[]> {
  const batches = [...inBatches(demoEvents(options.events ?? eventsDefault), batchEvents)];
  const plain = batches.map(
    (batch): Batch => ({ body: Buffer.from(JSON.stringify(batch)), events: batch.length }),
  );
  const zipped = plain.map(({ body, events }): Batch => ({ body: gzipSync(body), events }));
  const [overPlain, overGzip] = [
    await throughCollector(join(directory, 'plain'), plain, false, options),
    await throughCollector(join(directory, 'gzip'), zipped, true, options),
  ];
  const { parse, insert } = await baselines(directory, plain);
  return [
    ...rowsOf('gzip', overGzip, { parse, insert }),
    ...rowsOf('plain', overPlain, { parse, insert }),
  ];
}

async function throughCollector(
  home: string,
  batches: readonly Batch[],
  gzip: boolean,
  options: BenchOptions,
): Promise<Figures> {
  await mkdir(home);
  const collector = await startCollector({ home, profileDirectory: options.profileDirectory });
  const warmUp = batches.slice(0, Math.ceil(batches.length / 10));
  const counted = batches.slice(warmUp.length);
  const send = { url: collector.url, connections, gzip };
  await sendBatches(warmUp, send);
  await collector.folded(eventsIn(warmUp));

  const cpuSeconds = await collector.cpuSeconds();
  const startedMs = performance.now();
  await sendBatches(counted, send);
  await collector.folded(eventsIn(batches));
  const wallSeconds = (performance.now() - startedMs) / 1_000;
  const figures = {
    events: eventsIn(counted),
    wallSeconds,
    cpuSeconds: (await collector.cpuSeconds()) - cpuSeconds,
  };
  await collector.stop();
  return figures;
}

interface Baselines {
  readonly parse: Figures;
  readonly insert: Figures;
}

async function baselines(directory: string, batches: readonly Batch[]): Promise<Baselines> {
  const bodies = join(directory, 'bodies.ndjson');
  await writeFile(
    bodies,
    batches.flatMap(({ body }) => [body, Buffer.from('\n')]),
  );
  const script = new URL('./ingest/baseline.ts', import.meta.url);
  const measured = (what: string) =>
    runScript<BaselineFigures>(script, { args: [what, bodies, join(directory, 'bare.db')] });
  const events = eventsIn(batches);
  return {
    parse: { events, ...(await measured('parse')) },
    insert: { events, ...(await measured('insert')) },
  };
}

function rowsOf(encoding: string, figures: Figures, { parse, insert }: Baselines): Row[] {
  const { events, wallSeconds, cpuSeconds } = figures;
  const note =
    `${(events / 1_000).toFixed(0)}k events, ${wallSeconds.toFixed(1)} s, ` +
    `${cpuSeconds.toFixed(1)} s of CPU`;
  const perCpuSecond = { measured: events / cpuSeconds, unit: 'events/cpu-s' } as const;
  return [
    {
      what: `${encoding}, per CPU second`,
      ...perCpuSecond,
      budget: { min: eventsPerSecondMin },
      baseline: { what: 'JSON.parse', measured: parse.events / parse.cpuSeconds },
      note,
    },
    {
      what: `${encoding}, per CPU second`,
      ...perCpuSecond,
      baseline: { what: 'SQLite insert', measured: insert.events / insert.cpuSeconds },
    },
    {
      what: `${encoding}, by the clock`,
      measured: events / wallSeconds,
      unit: 'events/s',
      baseline: { what: 'SQLite insert', measured: insert.events / insert.wallSeconds },
    },
  ];
}

function eventsIn(batches: readonly Batch[]): number {
  return batches.reduce((sum, { events }) => sum + events, 0);
}
