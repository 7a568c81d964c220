/**
 * What the counters stand at, from the rollups that never fall (`Counters` in the contract):
 * exporters write it down, `GET /v1/totals` answers it.
 */
import type { CounterReading, Counters, Point } from '@pi-ledger/contract/telemetry/counters';
import { metrics } from '@pi-ledger/contract/telemetry/metrics';
import type { Projection } from '../../projections/projection.ts';
import { sessions } from '../../projections/sessions.ts';
import { totals } from '../../projections/totals.ts';
import type { ViewsReader } from '../../views/views.ts';
import { type SpendKey, spendPoints } from './spend.ts';

export interface CountersOptions {
  /** Splits what has the attribute `pi.user` by user. */
  readonly users: boolean;
}

/** The projections that count. */
const counting: readonly Projection[] = [sessions];

/** All metrics but those of the exporters themselves. */
type Counted = SpendKey;

export function createCounters(views: ViewsReader, { users }: CountersOptions): Counters {
  return {
    async read() {
      for (;;) {
        const generation = await generationIn(views);
        if (generation === null) return null;
        const points = await pointsIn(views, users);
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

/** The type knows each metric: one that nobody fills does not compile. */
async function pointsIn(
  views: ViewsReader,
  users: boolean,
): Promise<Readonly<Record<Counted, readonly Point[]>>> {
  const by = totals.dimensions.filter((dimension) => users || dimension !== 'user');
  return { ...spendPoints(await views.sum(sessions, totals, { by, where: [] })) };
}

function readingOf(
  generation: string,
  points: Readonly<Record<Counted, readonly Point[]>>,
): CounterReading {
  const filled = new Map(Object.entries(points));
  return {
    generation,
    metrics: Object.entries(metrics).flatMap(([key, metric]) => {
      const own = filled.get(key);
      return own === undefined ? [] : [{ metric, points: own }];
    }),
  };
}
