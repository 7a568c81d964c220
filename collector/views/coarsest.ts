/**
 * Which rollup answers a question: the first of the coarser ones that has every dimension in it,
 * else the rollup itself. Pure.
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
