/**
 * A ledger that grows to millions of events: what each hundred thousand cost to take in and fold,
 * and at a tenth and at the end what it answers, how it starts, and what folding it anew costs.
 *
 * In parts: what was measured is kept beside the store, and the next run goes on there. A store on
 * a server that lives for one run only begins anew.
 */
import type { Benchmark, BenchOptions, Row } from './benchmark.ts';
import { growTo } from './growth/grow.ts';
import { type GrowthLine, isLook, isPart, type LookLine } from './growth/lines.ts';
import { look } from './growth/look.ts';
import { answerRows, growthRows, lookRows, shareMin } from './growth/rows.ts';
import { type GrowthStore, withGrowthStore } from './growth/stores.ts';

const eventsDefault = 1_000_000;

export const growth: Benchmark = {
  name: 'growth',
  budget:
    `the last tenth of 10 million events is taken in at >= ${100 * shareMin} % ` +
    'of the speed of the first, by processor time',
  async run(options) {
    const rows: Row[] = [];
    for (const name of options.stores)
      rows.push(...(await withGrowthStore(name, (store) => measure(store, options))));
    return rows;
  },
};

async function measure(store: GrowthStore, options: BenchOptions): Promise<readonly Row[]> {
  const total = options.events ?? eventsDefault;
  const goals = [Math.ceil(total / 10), total];
  for (const goal of goals) {
    await growTo(store, goal);
    // One that has grown further can no longer be looked at as it was.
    if (lookAt(store.lines.all(), goal) === undefined && eventsOf(store.lines.all()) === goal)
      store.lines.add(await look(store, goal, options));
  }
  const lines = store.lines.all();
  const looks = goals.map((goal) => lookAt(lines, goal)).filter((each) => each !== undefined);
  return [
    ...growthRows(store.name, lines.filter(isPart)),
    ...looks.flatMap((each) => lookRows(store.name, each)),
    ...answerRows(store.name, looks),
  ];
}

function lookAt(
  lines: ReturnType<GrowthStore['lines']['all']>,
  events: number,
): LookLine | undefined {
  return lines.filter(isLook).find((line) => line.events === events);
}

function eventsOf(lines: readonly GrowthLine[]): number {
  return lines.filter(isPart).at(-1)?.events ?? 0;
}
