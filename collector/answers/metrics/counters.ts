/**
 * What the counters stand at, from the rollups that never fall (`Counters` in the contract):
 * exporters write it down, `GET /v1/totals` answers it. There may be many rows: others get the
 * thread between two metrics.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  CounterReading,
  Counters,
  MetricPoint,
  MetricReading,
} from '@pi-ledger/contract/telemetry/counters';
import { type MetricKey, metrics } from '@pi-ledger/contract/telemetry/metrics';
import type { Projection, Rollup } from '../../projections/projection.ts';
import { sessions } from '../../projections/sessions.ts';
import {
  totalAnswers,
  totalErrors,
  totalRuns,
  totalTools,
} from '../../projections/timings/totals.ts';
import { timings } from '../../projections/timings.ts';
import { totals } from '../../projections/totals.ts';
import {
  totalCompacted,
  totalCompactions,
  totalUtilization,
} from '../../projections/utilization/totals.ts';
import { utilization } from '../../projections/utilization.ts';
import type { SumRow, ViewsReader } from '../../views/views.ts';
import type { BudgetKey } from './budgets.ts';
import { spendPoints } from './spend.ts';
import { highestPoints, windowPoints } from './window.ts';
import { workPoints } from './work.ts';

export interface CountersOptions {
  /** Splits what has the attribute `pi.user` by user. */
  readonly users: boolean;
  /** Tells for whom each point counts, for who bounds them. */
  readonly senders?: boolean;
  /** What the last hour is. */
  readonly now: () => number;
}

/** The projections that count. */
const counting: readonly Projection[] = [sessions, timings, utilization];

export function createCounters(views: ViewsReader, options: CountersOptions): Counters {
  return {
    async read() {
      for (;;) {
        const generation = await generationIn(views);
        if (generation === null) return null;
        const points = await pointsIn(views, options);
        // A view that was swapped meanwhile may be in one sum and not in another.
        if ((await generationIn(views)) === generation) return readingOf(generation, points);
      }
    },
  };
}

async function generationIn(views: ViewsReader): Promise<string | null> {
  const live = await Promise.all(counting.map((projection) => views.live(projection)));
  const ids = live.flatMap((generation) => (generation === null ? [] : [generation.id]));
  return ids.length < counting.length ? null : ids.join('.');
}

/** Every metric but the exporters' own and budgets': one that nobody fills does not compile. */
type CounterKey = Exclude<MetricKey, 'hiddenSeries' | BudgetKey>;
type Points = Readonly<Record<CounterKey, () => Promise<readonly MetricPoint[]>>>;

async function pointsIn(
  views: ViewsReader,
  { users, senders = false, now }: CountersOptions,
): Promise<Points> {
  const sum = async (projection: Projection, rollup: Rollup): Promise<readonly SumRow[]> => {
    await nextTurn();
    const withUsers = senders || (users && rollup === totals);
    const by = rollup.dimensions.filter((dimension) => withUsers || dimension !== 'user');
    return views.sum(projection, rollup, { by, where: [] });
  };
  return {
    ...spendPoints(await sum(sessions, totals), users),
    ...workPoints({
      answers: await sum(timings, totalAnswers),
      errors: await sum(timings, totalErrors),
      tools: await sum(timings, totalTools),
      runs: await sum(timings, totalRuns),
    }),
    ...windowPoints({
      utilization: await sum(utilization, totalUtilization),
      compactions: await sum(utilization, totalCompactions),
      compacted: await sum(utilization, totalCompacted),
    }),
    ...(await highestPoints(views, now())),
  };
}

async function readingOf(generation: string, points: Points): Promise<CounterReading> {
  const filled = new Map(Object.entries(points));
  const read: MetricReading[] = [];
  for (const [key, metric] of Object.entries(metrics)) {
    const own = filled.get(key);
    if (own === undefined) continue;
    await nextTurn();
    read.push({ metric, points: await own() });
  }
  return { generation, metrics: read };
}
