/**
 * The rollup that answers a query: the first of the coarser ones with all its dimensions, else the
 * rollup itself. Pure.
 */
import type { Rollup } from '../projections/projection.ts';
import type { SumQuery } from './views.ts';

export function coarsestFor(rollup: Rollup, { by, where }: SumQuery): Rollup {
  const asked = [...by, ...where.map(({ column }) => column)];
  const able = rollup.coarser?.find(({ dimensions }) =>
    asked.every((name) => dimensions.includes(name)),
  );
  return able ?? rollup;
}
