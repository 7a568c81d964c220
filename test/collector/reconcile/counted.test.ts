import { expect, it } from 'vitest';
import { countedByKind } from '../../../collector/reconcile/counted.ts';
import { addUnit, noSums } from '../../../collector/reconcile/figures.ts';
import { book, claim } from './support/claims.ts';
import { aUnit } from './support/units.ts';

it('the rest of claims counts as spend of tools, beside their own', () => {
  const sums = noSums();
  for (const kind of ['turn', 'tool']) addUnit(sums, aUnit({ kind, nanoUsd: 1 }));
  const counted = countedByKind(sums, book([claim({ input: 7 })]));
  expect([...counted].map(([kind, { records, nanoUsd }]) => [kind, records, nanoUsd])).toEqual([
    ['turn', 1n, 1n],
    ['tool', 2n, 71n],
  ]);
});
