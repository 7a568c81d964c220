/**
 * What exporting costs those who send events: the demo's events go to a collector that exports
 * nothing, to one that exports to an endpoint that takes everything, and to one whose endpoint is
 * dead. Rounds alternate. Counted is the time until every event is acknowledged, and until every
 * view has folded it; exporters are behind then, and how long they take to catch up is told. The
 * endpoint is another process, and the machine is shared: with two cores, exporting takes of both.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Benchmark, BenchOptions, Row } from './benchmark.ts';
import { startCollector } from './collector-process.ts';
import { demoEvents, inBatches } from './demo-events.ts';
import { type Batch, sendBatches } from './ingest/send.ts';
import { median, spread } from './statistics.ts';
import { withTemporaryDirectory } from './temporary-directory.ts';

const eventsDefault = 40_000;
const batchEvents = 500;
const connections = 2;
const rounds = 5;
/** Nobody listens on it. */
const deadEndpoint = 'http://127.0.0.1:1';

export const exporting: Benchmark = {
  name: 'export',
  budget: 'events/s until acknowledged, exporting to an endpoint that takes all or is dead: as off',
  run: (options) => withTemporaryDirectory((directory) => measure(directory, options)),
};

const ways = ['off', 'on', 'dead'] as const;
type Way = (typeof ways)[number];

interface Speed {
  readonly acknowledged: number;
  readonly folded: number;
  /** Events a second from the first one until all are exported; of a dead endpoint nothing. */
  readonly exported: number | null;
}

async function measure(directory: string, options: BenchOptions): Promise<readonly Row[]> {
  const batches = [...inBatches(demoEvents(options.events ?? eventsDefault), batchEvents)].map(
    (batch): Batch => ({ body: Buffer.from(JSON.stringify(batch)), events: batch.length }),
  );
  const endpoint = await openEndpoint();
  const speeds: Record<Way, Speed[]> = { off: [], on: [], dead: [] };
  try {
    for (let round = 0; round < rounds; round += 1) {
      // Whoever comes first finds another machine than whoever comes last.
      for (const way of round % 2 === 0 ? ways : ways.toReversed()) {
        const url = { off: '', on: endpoint.url, dead: deadEndpoint }[way];
        speeds[way].push(await speedOf(join(directory, `${round}-${way}`), url, batches));
      }
    }
  } finally {
    endpoint.close();
  }
  const exported = speeds.on.map((speed) => speed.exported).filter((speed) => speed !== null);
  return [
    ...(['on', 'dead'] as const).flatMap((way) => [
      row(way, 'acknowledged', speeds),
      row(way, 'folded', speeds),
    ]),
    { what: 'endpoint takes all, until exported', measured: median(exported), unit: 'events/s' },
  ];
}

async function speedOf(home: string, url: string, batches: readonly Batch[]): Promise<Speed> {
  await mkdir(home);
  const environment = url === '' ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: url };
  const collector = await startCollector({ home, environment });
  const warmUp = batches.slice(0, Math.ceil(batches.length / 10));
  const counted = batches.slice(warmUp.length);
  await sendBatches(warmUp, { url: collector.url, connections, gzip: false });
  await collector.folded(eventsIn(warmUp));
  const startedMs = performance.now();
  const perSecond = (): number => (eventsIn(counted) * 1_000) / (performance.now() - startedMs);
  await sendBatches(counted, { url: collector.url, connections, gzip: false });
  const acknowledged = perSecond();
  await collector.folded(eventsIn(batches));
  const folded = perSecond();
  const isExported = url !== '' && url !== deadEndpoint;
  if (isExported) await collector.exported(eventsIn(batches));
  const exported = isExported ? perSecond() : null;
  await collector.stop();
  return { acknowledged, folded, exported };
}

function row(
  way: 'on' | 'dead',
  what: 'acknowledged' | 'folded',
  speeds: Record<Way, readonly Speed[]>,
): Row {
  const ratios = speeds[way].map(
    (speed, round) => speed[what] / (speeds.off[round]?.[what] ?? Number.NaN),
  );
  return {
    what: `${way === 'on' ? 'endpoint takes all' : 'endpoint is dead'}, until ${what}`,
    measured: median(speeds[way].map((speed) => speed[what])),
    unit: 'events/s',
    baseline: { what: 'off', measured: median(speeds.off.map((speed) => speed[what])) },
    note: `ratio of a round to off: ${median(ratios).toFixed(2)} (${spread(ratios, 2)})`,
  };
}

async function openEndpoint(): Promise<{ readonly url: string; close(): void }> {
  const script = new URL('./export/endpoint.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = await once(child.stdout.setEncoding('utf8'), 'data');
  return { url: String(said).trim(), close: () => void child.kill() };
}

function eventsIn(batches: readonly Batch[]): number {
  return batches.reduce((sum, { events }) => sum + events, 0);
}
