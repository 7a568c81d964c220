/**
 * The queries of a first look at the views of a company's quarter, at a tenth of the events and at
 * all of them: the same question to the rollup `usage` as the API asks it, and to its finest rows
 * alone. The views are folded without log and HTTP, so that ten million events take minutes.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import { usage } from '../../collector/projections/usage.ts';
import { memoryCharsMaxDefault } from '../../collector/subscription/folding-subscription.ts';
import {
  createGenerationFold,
  type GenerationFold,
} from '../../collector/subscription/generation-fold.ts';
import type { Condition, SumQuery, Views } from '../../collector/views/views.ts';
import { sessions } from '../../test/collector/projections/support/bare-sessions.ts';
import type { Benchmark, BenchOptions, Row } from './benchmark.ts';
import { type OverviewStore, withStore } from './overview/stores.ts';
import {
  dayOfLastThirty,
  days,
  firstDay,
  projectName,
  projects,
  userName,
  users,
  work,
} from './overview/work.ts';
import { median, quantile } from './statistics.ts';

const eventsDefault = 1_000_000;
const msMax = 20;
/** Like the subscription when it is behind. */
const eventsPerCommit = 20_000;
/** The finest rows of ten million events take seconds. */
const baselineRunsMax = 5;

const one = (column: string, value: string): Condition => ({ column, is: 'in', values: [value] });
const since = (day: string): Condition => ({ column: 'day', is: 'from', values: [day] });
const project = one('project', projectName(7));
const user = one('user', userName(7));
const model = one('model', 'demo-deep');

/** Grouped like the API: by one field, and by billing. */
const questions: readonly (readonly [
  what: string,
  by: string | null,
  where: readonly Condition[],
  isOverview?: boolean,
])[] = [
  ['total', null, [], true],
  ['by project', 'project', [], true],
  ['by day', 'day', [], true],
  ['by model', 'model', [], true],
  ['by user', 'user', [], true],
  ['total, 30 days', null, [since(dayOfLastThirty)]],
  ['by project, 30 days', 'project', [since(dayOfLastThirty)]],
  ['by model, 30 days', 'model', [since(dayOfLastThirty)]],
  ['by user, 30 days', 'user', [since(dayOfLastThirty)]],
  [`by project, since ${days} days`, 'project', [since(firstDay)]],
  [`by user, since ${days} days`, 'user', [since(firstDay)]],
  ['by day, one project', 'day', [project]],
  ['by model, one project', 'model', [project]],
  ['by user, one project', 'user', [project]],
  ['by day, one user', 'day', [user]],
  ['by project, one user', 'project', [user]],
  ['by day, one model', 'day', [model]],
  ['by project, one model', 'project', [model]],
  ['by user, one model', 'user', [model]],
];

export const overview: Benchmark = {
  name: 'overview',
  budget:
    `a first look at ${users} users, ${projects} projects, ${days} days: ` +
    `p95 <= ${msMax} ms with 10 million events, and no more than 2x the time with 1 million`,
  async run(options) {
    const rows: Row[] = [];
    for (const name of options.stores)
      rows.push(...(await withStore[name]((store) => measure(store, options))));
    return rows;
  },
};

async function measure(
  store: OverviewStore,
  { runs, events }: BenchOptions,
): Promise<readonly Row[]> {
  const last = events ?? eventsDefault;
  const fill = await begin(store.views);
  const rows: Row[] = [];
  const before = new Map<string, number>();
  for (const count of [Math.ceil(last / 10), last]) {
    const label = `${store.name}, ${(count / 1e6).toLocaleString('en-US')}M`;
    rows.push(await fill.until(count, label));
    rows.push(...(await rowCounts(store, fill.generation, label)));
    for (const question of questions) {
      const row = await ask(store.views, question, runs, label, before.get(question[0]));
      if (row.measured !== null) before.set(question[0], row.measured);
      rows.push(row);
    }
  }
  return rows;
}

async function begin(views: Views) {
  const generation = await views.begin(sessions);
  await views.promote(sessions, generation.id);
  const onError = (error: unknown): never => {
    throw error;
  };
  const fold = createGenerationFold({
    views,
    projection: sessions,
    generation,
    seal: null,
    isCounted: false,
    memoryCharsMax: memoryCharsMaxDefault,
    onError,
  });
  const endless = work();
  return {
    generation: generation.id,
    /** Whole sessions, so there may be a few more events. */
    async until(count: number, label: string): Promise<Row> {
      const startedMs = performance.now();
      const from = fold.position();
      while (fold.position() < count) await foldOne(fold, endless.next().value ?? [], count);
      const seconds = (performance.now() - startedMs) / 1_000;
      return {
        what: `${label}: folded`,
        measured: (fold.position() - from) / seconds,
        unit: 'events/s',
        note: `${seconds.toFixed(0)} s`,
      };
    },
  };
}

async function foldOne(
  fold: GenerationFold,
  events: readonly LedgerEvent[],
  count: number,
): Promise<void> {
  const first = fold.position() + 1;
  await fold.take(
    events.map((event, index) => ({
      position: first + index,
      receivedAtMs: 0,
      event,
    })),
  );
  if (fold.pending() < eventsPerCommit && fold.position() < count) return;
  if ((await fold.commit()) === 'stale') throw new Error('somebody else wrote the views');
}

async function rowCounts(
  { rows }: OverviewStore,
  generation: number,
  label: string,
): Promise<Row[]> {
  const found: Row[] = [];
  for (const { name } of [usage, ...(usage.coarser ?? [])]) {
    found.push({ what: `${label}: ${name}`, measured: await rows(name, generation), unit: 'rows' });
  }
  return found;
}

async function ask(
  views: Views,
  [what, by, where, isOverview = false]: (typeof questions)[number],
  runs: number,
  label: string,
  before: number | undefined,
): Promise<Row> {
  const query: SumQuery = { by: by === null ? ['billing'] : [by, 'billing'], where };
  const { coarser: _, ...finest } = usage;
  const [taken, takenByFinest]: [Taken[], Taken[]] = [[], []];
  for (let run = 0; run < runs; run += 1) {
    taken.push(await timed(() => views.sum(sessions, usage, query)));
    if (run < baselineRunsMax)
      takenByFinest.push(await timed(() => views.sum(sessions, finest, query)));
  }
  const ms = taken.map((each) => each.ms);
  const measured = quantile(ms, 0.95);
  const cpuMs = median(taken.map((each) => each.cpuMs)).toFixed(1);
  return {
    what: `${label}: ${what}, p95`,
    measured,
    unit: 'ms',
    ...(isOverview ? { budget: { max: msMax } } : {}),
    baseline: { what: 'finest rows, p50', measured: median(takenByFinest.map((each) => each.ms)) },
    note: [
      `p50 ${median(ms).toFixed(1)} ms, ${cpuMs} ms of CPU here`,
      ...(before === undefined ? [] : [`${(measured / before).toFixed(1)}x of a tenth`]),
    ].join('; '),
  };
}

interface Taken {
  readonly ms: number;
  /** Of this thread, without the server's work. */
  readonly cpuMs: number;
}

async function timed(work: () => Promise<unknown>): Promise<Taken> {
  const [startedMs, before] = [performance.now(), process.threadCpuUsage()];
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return { ms: performance.now() - startedMs, cpuMs: (user + system) / 1_000 };
}
