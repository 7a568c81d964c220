import { describe, expect, it } from 'vitest';
import {
  createFirstHolders,
  type HeldUnit,
} from '../../../../collector/reconcile/files/first-holders.ts';
import { createSeenUnits } from '../../../../collector/reconcile/files/seen-units.ts';
import type { Unit } from '../../../../collector/reconcile/unit.ts';
import { aClaim, aUnit } from '../support/units.ts';

const unpriced: Partial<Unit> = { priceSource: 'unpriced', nanoUsd: null };
const unitId = '0123456789abcdef';

const held = (index: number, over: Partial<Unit> = {}, inherited = false): HeldUnit => ({
  unitId,
  index,
  unit: aUnit(over),
  inherited,
});
const lost = (index: number) => held(index, unpriced, true);

/** The file that a unit counts under, and the copies. */
function heard(...units: readonly HeldUnit[]): readonly string[] {
  const told: string[] = [];
  const seen = createSeenUnits();
  const holders = createFirstHolders<HeldUnit>({
    seen,
    onFirst: ({ index }) => told.push(`first ${index}`),
    onCopy: ({ index }, owner) => told.push(`${index} copies ${owner}`),
  });
  for (const unit of units) holders.add(unit);
  holders.end();
  holders.end();
  expect(seen.find(unitId)).toBe(
    units.length === 0 ? null : Number(told.find((line) => line.startsWith('first'))?.slice(6)),
  );
  return told;
}

describe('the file that a record counts under', () => {
  it.each<[what: string, units: readonly HeldUnit[], told: readonly string[]]>([
    [
      'the first that holds it',
      [held(0), held(1), held(2)],
      ['first 0', '1 copies 0', '2 copies 0'],
    ],
    [
      'not one that copied it without its price, where another has it whole',
      [lost(0), held(1)],
      ['first 1', '0 copies 1'],
    ],
    ['... nor a later one like that', [held(0), lost(1)], ['first 0', '1 copies 0']],
    [
      '... nor any number of them',
      [held(0), lost(1), lost(2)],
      ['first 0', '1 copies 0', '2 copies 0'],
    ],
    [
      'the first of those that lost its price, where no other has it',
      [lost(0), lost(1)],
      ['1 copies 0', 'first 0'],
    ],
    ['one alone that lost its price', [lost(3)], ['first 3']],
    [
      'one of its own that never had a price',
      [held(0, unpriced), held(1)],
      ['first 0', '1 copies 0'],
    ],
    [
      'one that reported nothing',
      [held(0, { ...unpriced, reported: false }, true), held(1)],
      ['first 0', '1 copies 0'],
    ],
    ['a copy with its price', [held(0, {}, true), held(1)], ['first 0', '1 copies 0']],
    [
      'a claim without a price',
      [{ ...lost(0), unit: aClaim(unpriced) }, held(1)],
      ['first 0', '1 copies 0'],
    ],
  ])('is %s', (_what, units, told) => expect(heard(...units)).toEqual(told));
});
