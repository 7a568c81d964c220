/**
 * What every view of the page asks, over HTTP from a real collector: a company's quarter, by
 * default range, other ranges, filters and orders. Alternating with an answer that asks nothing.
 */
import type { Answers } from '@pi-ledger/contract/answers';
import type { Benchmark, BenchOptions, Row } from './benchmark.ts';
import { type CollectorProcess, startCollector } from './collector-process.ts';
import { days, projectName, projects, users } from './overview/work.ts';
import { type Asking, asking } from './page/asking.ts';
import { type Painted, paintingBrowser } from './page/paint.ts';
import { asksAt, longPath, paintedPlaces, placesOf } from './page/places.ts';
import { keptStore, longTurns } from './page/store.ts';
import { median, quantile } from './statistics.ts';

const eventsDefault = 1_000_000;
const msMax = 50;
const longMsMax = 100;
const bare = '/health/live';

export const page: Benchmark = {
  name: 'page',
  budget:
    `every answer of a view, ${users} users, ${projects} projects, ${days} days: ` +
    `p95 <= ${msMax} ms; of a session of ${longTurns.toLocaleString('en-US')} turns ${longMsMax}`,
  async run(options) {
    const home = await keptStore(options.events ?? eventsDefault);
    const { profileDirectory } = options;
    const collector = await startCollector({ home, profileDirectory });
    const asked = asking(collector.url);
    try {
      const painted = await paintRows(collector);
      return [...painted, ...(await measure(collector, asked, options))];
    } finally {
      asked.close();
      await collector.stop();
    }
  },
};

async function measure(
  collector: CollectorProcess,
  asked: Asking,
  { runs }: BenchOptions,
): Promise<readonly Row[]> {
  const answers = new Map<string, Sampled>();
  const rows: Row[] = [];
  for (const place of placesOf(await usualSession(collector))) {
    const asks = asksAt(place);
    for (const ask of asks)
      answers.set(ask, answers.get(ask) ?? (await sample(collector, { asked, ask, runs })));
    rows.push(rowOf(place, new Map(asks.map((ask) => [ask, answers.get(ask) as Sampled]))));
  }
  const resident = (await collector.residentBytes()) / 1e6;
  const slow = [...answers].filter(([, { ms, isRefused }]) => isRefused || p95(ms) > msMax);
  return [
    ...rows,
    ...slow.map(([ask, sampled]) => answerRow(ask, sampled)),
    { what: 'resident after it', measured: resident, unit: 'MB' },
  ];
}

/** The middle one counts. */
const loads = 9;
const paintMsMax = 300;

async function paintRows({ url }: CollectorProcess): Promise<readonly Row[]> {
  const browser = await paintingBrowser();
  try {
    const rows: Row[] = [];
    for (const place of paintedPlaces) {
      const painted: Painted[] = [];
      while (painted.length < loads) painted.push(await browser.load(`${url}${place}`));
      rows.push(paintRow(place, painted));
    }
    return rows;
  } finally {
    await browser.close();
  }
}

function paintRow(place: string, painted: readonly Painted[]): Row {
  const middle = (name: keyof Painted): number => median(painted.map((each) => each[name]));
  const longest = Math.max(...painted.map(({ longestTaskMs }) => longestTaskMs));
  return {
    what: `${place}: first paint of ${loads} cold loads, p50`,
    measured: middle('paintMs'),
    unit: 'ms',
    budget: { max: paintMsMax },
    baseline: { what: 'first byte', measured: middle('firstByteMs') },
    note:
      `longest task ${longest.toFixed(0)} ms, p50 ${middle('longestTaskMs').toFixed(0)} ms; ` +
      `${Math.max(...painted.map(({ elements }) => elements))} elements`,
  };
}

async function usualSession({ url }: CollectorProcess): Promise<string> {
  const answer = await fetch(`${url}/v1/sessions?limit=1&project=${projectName(7)}`);
  const { rows } = (await answer.json()) as Answers['GET /v1/sessions'];
  const [session] = rows;
  if (session === undefined) throw new Error(`${projectName(7)} has no session`);
  return session.id;
}

interface Sampled {
  readonly ms: readonly number[];
  readonly firstMs: number;
  readonly bareMs: readonly number[];
  readonly bytes: number;
  readonly isRefused: boolean;
  /** Processor time of the collector for each: on a busy machine the clock says less. */
  readonly cpuMs: number;
}

/** What nobody will wait for is not asked as often. */
const patienceMs = 10_000;

interface Sampling {
  readonly asked: Asking;
  readonly ask: string;
  readonly runs: number;
}

async function sample(
  collector: CollectorProcess,
  { asked, ask, runs }: Sampling,
): Promise<Sampled> {
  const first = await asked.ask(ask);
  const [ms, bareMs]: [number[], number[]] = [[], []];
  const [startedMs, cpuSeconds] = [performance.now(), await collector.cpuSeconds()];
  while (ms.length < runs && (ms.length < 3 || performance.now() - startedMs < patienceMs)) {
    bareMs.push((await asked.ask(bare)).ms);
    ms.push((await asked.ask(ask)).ms);
  }
  const cpuMs = (((await collector.cpuSeconds()) - cpuSeconds) * 1_000) / ms.length;
  const { bytes, ms: firstMs } = first;
  return { ms, bareMs, cpuMs, bytes, firstMs, isRefused: first.status !== 200 };
}

function rowOf(place: string, asks: ReadonlyMap<string, Sampled>): Row {
  const all = [...asks.values()];
  const slowest = all.toSorted((left, right) => p95(right.ms) - p95(left.ms))[0];
  if (slowest === undefined) throw new Error(`${place} asks nothing`);
  const together = all.reduce((sum, { ms }) => sum + median(ms), 0);
  const first = all.reduce((sum, { firstMs }) => sum + firstMs, 0);
  const cpu = all.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
  const bytes = all.reduce((sum, each) => sum + each.bytes, 0);
  return {
    what: `${place}: slowest of ${asks.size}, p95`,
    measured: p95(slowest.ms),
    unit: 'ms',
    budget: { max: budgetOf(place) },
    baseline: { what: bare, measured: median(all.flatMap(({ bareMs }) => bareMs)) },
    note:
      `${slowest.cpuMs.toFixed(0)} ms of CPU; all of them ${cpu.toFixed(0)} ms of CPU, ` +
      `p50 ${together.toFixed(0)} ms, the first time ${first.toFixed(0)} ms; ` +
      `${(bytes / 1_000).toFixed(1)} kB`,
  };
}

function answerRow(ask: string, { ms, cpuMs, firstMs, bytes, isRefused }: Sampled): Row {
  if (isRefused) return { what: ask, measured: null, unit: 'ms', note: 'refused: too many' };
  return {
    what: ask,
    measured: isRefused ? null : p95(ms),
    unit: 'ms',
    note:
      `${cpuMs.toFixed(0)} ms of CPU, p50 ${median(ms).toFixed(0)} ms of ${ms.length}, ` +
      `the first time ${firstMs.toFixed(0)} ms; ${(bytes / 1_000).toFixed(1)} kB`,
  };
}

function p95(ms: readonly number[]): number {
  return quantile(ms, 0.95);
}

/** The session of so many turns has its own. */
function budgetOf(place: string): number {
  return place.startsWith(longPath) ? longMsMax : msMax;
}
