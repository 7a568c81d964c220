/**
 * A cycle of metrics as the exporter makes it: the counters read from the store, what may be shown
 * of them, and the bytes of the request. Beside it OpenTelemetry's serializer alone, on the same
 * points. What is read and shown is read in parts, and how long the longest keeps the thread is
 * told, too.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LedgerEvent } from '@pi-ledger/contract';
import { createCounters } from '../../collector/answers/metrics/counters.ts';
import { loadCollectorConfig } from '../../collector/config/config.ts';
import { scopeMetrics } from '../../collector/exporters/metrics/metric-data.ts';
import { createPushReader } from '../../collector/exporters/metrics/readers.ts';
import { openLedger } from '../../collector/main.ts';
import type { Ledger } from '../../collector/roles/ledger.ts';
import { attributed, turn } from '../../test/collector/projections/support/given.ts';
import type { Benchmark, Row } from './benchmark.ts';
import { inBatches } from './demo-events.ts';
import { median } from './statistics.ts';
import { withTemporaryDirectory } from './temporary-directory.ts';

const rounds = 15;
const ratioMax = 10;

export const metrics: Benchmark = {
  name: 'metrics',
  budget: `a cycle of 2,000 rows: <= ${ratioMax} times the serializing of its points alone`,
  async run() {
    const few = await measure(2_000);
    const many = await measure(20_000);
    return [...rowsOf(few, { max: ratioMax }), ...rowsOf(many)];
  },
};

interface Measured {
  /** Of the rollup `totals`. */
  readonly rows: number;
  readonly points: number;
  /** In ms. */
  readonly read: number[];
  readonly cycle: number[];
  readonly bare: number[];
  /** The longest time without a turn for others, while a cycle is read. */
  readonly longest: number[];
}

function measure(rows: number): Promise<Measured> {
  return withTemporaryDirectory(async (home) => {
    const ledger = await openLedger(loadCollectorConfig({ PI_LEDGER_HOME: home }));
    try {
      await fill(ledger, rows);
      return await measureIn(ledger, rows);
    } finally {
      await ledger.close();
    }
  });
}

async function measureIn(ledger: Ledger, rows: number): Promise<Measured> {
  const { ProtobufMetricsSerializer } = await import('@opentelemetry/otlp-transformer');
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const resource = resourceFromAttributes({ 'service.name': 'agents' });
  const counters = createCounters(ledger.views, { users: false, now: Date.now });
  const { checkpoints } = ledger.parts.store;
  const reader = createPushReader({ counters, checkpoints, now: Date.now });
  async function next() {
    const cycle = await reader.next();
    if (cycle === null) throw new Error('There are no counters.');
    const scope = scopeMetrics(cycle.exposition, { version: '0.0.0', nowMs: Date.now() });
    return { resource, scopeMetrics: [scope] };
  }
  const measured: Measured = { rows, points: 0, read: [], cycle: [], bare: [], longest: [] };
  let points = 0;
  for (let round = 0; round < rounds; round++) {
    measured.read.push(await milliseconds(() => counters.read()));
    measured.cycle.push(
      await milliseconds(async () => ProtobufMetricsSerializer.serializeRequest(await next())),
    );
    measured.longest.push(await longestTurn(() => reader.next()));
    const same = await next();
    measured.bare.push(await milliseconds(() => ProtobufMetricsSerializer.serializeRequest(same)));
    points = same.scopeMetrics
      .flatMap(({ metrics: all }) => all)
      .reduce((sum, { dataPoints }) => sum + dataPoints.length, 0);
  }
  return { ...measured, points };
}

/** Each row is of a project of its own. */
async function fill(ledger: Ledger, rows: number): Promise<void> {
  const at = '2026-11-20T10:00:00.000Z';
  function* events(): Generator<LedgerEvent> {
    for (let row = 0; row < rows; row++) {
      yield attributed(at, { project: `project-${row}` }, `s${row}`);
      yield turn(at, { costNanoUsd: row + 1, inputTokens: row + 1 }, `s${row}`);
    }
  }
  for (const batch of inBatches(events(), 1_000))
    await ledger.log.append({ receivedAtMs: Date.parse(at), events: batch, deadLetters: [] });
  await ledger.subscription.catchUp();
}

function rowsOf(
  { rows, points, read, cycle, bare, longest }: Measured,
  budget?: { readonly max: number },
): Row[] {
  const size = `${rows.toLocaleString('en-US')} rows`;
  return [
    {
      what: `a cycle of ${size}`,
      measured: median(cycle),
      unit: 'ms',
      baseline: { what: 'serializer alone', measured: median(bare) },
      note: `${points.toLocaleString('en-US')} points; reading alone ${median(read).toFixed(1)} ms`,
    },
    {
      what: `${size}: time beside the serializer`,
      measured: median(cycle) / median(bare),
      unit: 'x',
      ...(budget === undefined ? {} : { budget }),
    },
    { what: `${size}: longest part of reading`, measured: median(longest), unit: 'ms' },
  ];
}

async function milliseconds(work: () => unknown): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let isDone = false;
  let longestMs = 0;
  const working = work().finally(() => {
    isDone = true;
  });
  for (let lastMs = performance.now(); !isDone; ) {
    await nextTurn();
    const nowMs = performance.now();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
  }
  await working;
  return longestMs;
}
