/**
 * Sums until an hour, from rows of whole days as far as these go: rows of hours are many, those of
 * days are few. The answer is the same.
 */
import { dayMs } from '@pi-ledger/core/time/units';
import type { Rollup } from '../projections/projection.ts';
import { addedSums } from './added-sums.ts';
import { coarsestFor } from './coarsest.ts';
import { sumsToTally, tallied } from './tallied.ts';
import type { Condition, SumQuery, ViewsReader } from './views.ts';

export function withWholeDays(views: ViewsReader): ViewsReader {
  const sum: ViewsReader['sum'] = async (projection, rollup, query) => {
    const parts = splitQuery(rollup, query);
    if (parts === null) return views.sum(projection, rollup, query);
    const [days, hours] = parts;
    return addedSums(query.by, [
      ...(await views.sum(projection, rollup, days)),
      ...(await views.sum(projection, rollup, hours)),
    ]);
  };
  return {
    live: (projection) => views.live(projection),
    find: (projection, query) => views.find(projection, query),
    count: (projection, where) => views.count(projection, where),
    setAside: (projection, limit) => views.setAside(projection, limit),
    sum,
    async tally(projection, rollup, query) {
      const sums = sumsToTally(query);
      return splitQuery(rollup, sums) === null
        ? views.tally(projection, rollup, query)
        : tallied(query, await sum(projection, rollup, sums));
    },
  };
}

/** Returns null when one query is as good. */
function splitQuery(rollup: Rollup, query: SumQuery): readonly [SumQuery, SumQuery] | null {
  const { by, where } = query;
  const hours = where.filter(({ column }) => column === 'hour');
  const [end] = hours;
  const border = end?.is === 'before' && hours.length === 1 ? dayBefore(end.values[0]) : null;
  if (border === null || coarsestFor(rollup, query) !== rollup) return null;
  const other = where.filter((condition) => condition !== end);
  const isOfDay = (is: Condition['is']) => ({ column: 'day', is, values: [border] });
  const days = { by, where: [...other, isOfDay('before')] };
  if (coarsestFor(rollup, days) === rollup) return null;
  return [days, { by, where: [...where, isOfDay('from')] }];
}

/**
 * Returns the day before an hour's day in UTC. Whatever was spent on an earlier one, local to
 * anybody, was spent before the hour.
 */
function dayBefore(hour: Condition['values'][number] | undefined): string | null {
  const ms = Date.parse(`${String(hour).slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(ms) ? null : new Date(ms - dayMs).toISOString().slice(0, 10);
}
