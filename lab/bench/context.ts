/**
 * `/v1/context` of a session of 20,000 turns, over HTTP from a real collector: first after its
 * start, again, and while the session continues. Also the computation alone, and the cost of
 * folding per event, compared with JSON.parse of the same events.
 */
import { loadCollectorConfig } from '../../collector/config/config.ts';
import { openLedger } from '../../collector/main.ts';
import type { Benchmark, BenchOptions, Row } from './benchmark.ts';
import { type CollectorProcess, startCollector } from './collector-process.ts';
import type { ContextFigures } from './context/computing.ts';
import { createLoad, type Load, session } from './context/session.ts';
import { inBatches } from './demo-events.ts';
import { runScript } from './run-program.ts';
import { median, quantile } from './statistics.ts';
import { withTemporaryDirectory } from './temporary-directory.ts';

const turns = 20_000;
const queries = 40;
const computingRounds = 12;
const batchEvents = 1_000;
const afterATurnMsMax = 100;

export const context: Benchmark = {
  name: 'context',
  budget:
    `the context of a session of ${turns.toLocaleString('en-US')} turns, ` +
    `after one more turn: p95 <= ${afterATurnMsMax} ms`,
  run: (options) => withTemporaryDirectory((home) => measure(home, options)),
};

async function measure(
  home: string,
  { runs, profileDirectory }: BenchOptions,
): Promise<readonly Row[]> {
  const load = createLoad();
  await fill(home, load);
  const alone = await runScript<ContextFigures>(
    new URL('./context/computing.ts', import.meta.url),
    {
      args: [turns, computingRounds].map(String),
    },
  );
  const firstMs: number[] = [];
  for (let run = 1; run < Math.min(runs, 5); run++) firstMs.push(await once(home));
  const collector = await startCollector({ home, profileDirectory });
  try {
    const first = await many(collector, 1, () => ask(collector, contextUrl));
    const again = await many(collector, queries, () => ask(collector, contextUrl));
    const going = await many(collector, queries, async () => {
      await send(collector, load);
      return ask(collector, contextUrl);
    });
    const listFirst = await many(collector, 1, () => ask(collector, '/v1/compactions'));
    const list = await many(collector, queries, () => ask(collector, '/v1/compactions'));
    first.ms.push(...firstMs);
    return rowsOf({ first, again, going, list, listFirst }, alone);
  } finally {
    await collector.stop();
  }
}

const contextUrl = `/v1/context/${session}`;

interface Sampled {
  readonly ms: number[];
  /** CPU time of the collector for each query. */
  readonly cpuMs: number;
}

interface Samples {
  readonly first: Sampled;
  readonly again: Sampled;
  readonly going: Sampled;
  readonly list: Sampled;
  readonly listFirst: Sampled;
}

function rowsOf({ first, again, going, list, listFirst }: Samples, alone: ContextFigures): Row[] {
  const compute = alone.decodeMs.map((ms, round) => ms + (alone.computeMs[round] ?? 0));
  const computation = {
    what: 'of CPU for the computation alone, p95',
    measured: quantile(compute, 0.95),
  };
  const query = (what: string, sampled: Sampled, q: number): Row => ({
    what,
    measured: quantile(sampled.ms, q),
    unit: 'ms',
    note:
      `${sampled.ms.length} queries, p50 ${median(sampled.ms).toFixed(0)} ms; ` +
      `${sampled.cpuMs.toFixed(0)} ms of CPU each`,
  });
  const figure = (what: string, samples: readonly number[], note: string): Row => ({
    what,
    measured: quantile(samples, 0.95),
    unit: 'ms',
    note,
  });
  return [
    { ...query('/v1/context, the first after a start', first, 0.5), baseline: computation },
    query('/v1/context again, p95', again, 0.95),
    {
      ...query('/v1/context after one more turn, folded, p95', going, 0.95),
      budget: { max: afterATurnMsMax },
    },
    query('/v1/compactions, the first', listFirst, 0.5),
    query('/v1/compactions again, p95', list, 0.95),
    figure(
      'CPU to decode all chunks, p95',
      alone.decodeMs,
      `${alone.chunks} chunks, ${alone.events.toLocaleString('en-US')} events`,
    ),
    figure(
      'CPU of the computation without it, p95',
      alone.computeMs,
      `p50 ${median(alone.computeMs).toFixed(0)} ms`,
    ),
    {
      what: 'CPU to fold one event',
      measured: median(alone.foldUsPerEvent),
      unit: 'us',
      baseline: { what: 'JSON.parse of it', measured: median(alone.parseUsPerEvent) },
    },
  ];
}

async function fill(home: string, load: Load): Promise<void> {
  const ledger = await openLedger(loadCollectorConfig({ PI_LEDGER_HOME: home }));
  try {
    const events = Array.from({ length: turns }, () => load.turn()).flat();
    for (const batch of inBatches(events, batchEvents)) {
      const { accepted } = await ledger.ingest.accept(batch);
      if (accepted !== batch.length)
        throw new Error(`the store took ${accepted} of ${batch.length} events`);
    }
    await ledger.subscription.catchUp();
  } finally {
    await ledger.close();
  }
}

async function once(home: string): Promise<number> {
  const collector = await startCollector({ home });
  return ask(collector, contextUrl).finally(() => collector.stop());
}

async function many(
  collector: CollectorProcess,
  count: number,
  query: () => Promise<number>,
): Promise<Sampled> {
  const cpuSeconds = await collector.cpuSeconds();
  const ms: number[] = [];
  while (ms.length < count) ms.push(await query());
  return { ms, cpuMs: (((await collector.cpuSeconds()) - cpuSeconds) * 1_000) / count };
}

async function ask({ url }: CollectorProcess, path: string): Promise<number> {
  const startedMs = performance.now();
  const answer = await fetch(`${url}${path}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return performance.now() - startedMs;
}

async function send({ url }: CollectorProcess, load: Load): Promise<void> {
  const headers = { 'content-type': 'application/cloudevents-batch+json' };
  const answer = await fetch(`${url}/v1/events`, {
    method: 'POST',
    headers,
    body: JSON.stringify(load.turn()),
  });
  if (!answer.ok) throw new Error(await answer.text());
  await answer.arrayBuffer();
}
