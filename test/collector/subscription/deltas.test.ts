import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Rollup, rowKey } from '../../../collector/projections/projection.ts';
import { createDeltas } from '../../../collector/subscription/deltas.ts';
import type { RollupDelta } from '../../../collector/views/views.ts';

const measures = ['records', 'nanoUsd'];
const byProject: Rollup = { name: 'by_project', dimensions: ['project'], measures, indexes: [] };
const byUserDay: Rollup = {
  name: 'by_user_day',
  dimensions: ['user', 'day'],
  measures,
  indexes: [],
};
const spent: Rollup = {
  name: 'spent',
  dimensions: ['day', 'project', 'user'],
  measures,
  indexes: [],
  coarser: [byProject, byUserDay],
};
const counted: Rollup = { name: 'counted', dimensions: ['user'], measures, indexes: [] };

function row(day: string, project: string, user: string) {
  return rowKey(spent, { day, project, user });
}

function rowsOf(deltas: readonly RollupDelta[], rollup: Rollup): Record<string, readonly bigint[]> {
  const own = deltas.filter((delta) => delta.rollup === rollup);
  const rows = Object.fromEntries(own.map((delta) => [delta.dimensions.join(), delta.measures]));
  expect(Object.keys(rows)).toHaveLength(own.length);
  return rows;
}

describe('deltas', () => {
  it('are summed by what they are counted under, whatever array says it', () => {
    const deltas = createDeltas();
    const same = row('d1', 'shop', 'ada');
    deltas.emit(spent, same, [1, 10]);
    deltas.emit(spent, same, [1, 20]);
    deltas.emit(spent, row('d1', 'shop', 'ada'), [1, 2n ** 60n]);
    expect(rowsOf(deltas.take(), spent)).toEqual({ 'd1,shop,ada': [3n, 30n + 2n ** 60n] });
    expect(deltas.take()).toEqual([]);
  });

  it('have in each coarser rollup the sum of what they have in the finer one', () => {
    const deltas = createDeltas();
    deltas.emit(spent, row('d1', 'shop', 'ada'), [1, 10]);
    deltas.emit(spent, row('d2', 'shop', 'ada'), [1, 20]);
    deltas.emit(spent, row('d1', 'shop', 'grace'), [1]);
    deltas.emit(counted, rowKey(counted, { user: 'ada' }), [5, 5]);
    const taken = deltas.take();
    expect(rowsOf(taken, byProject)).toEqual({ shop: [3n, 30n] });
    expect(rowsOf(taken, byUserDay)).toEqual({
      'ada,d1': [1n, 10n],
      'ada,d2': [1n, 20n],
      'grace,d1': [1n, 0n],
    });
    expect(rowsOf(taken, counted)).toEqual({ ada: [5n, 5n] });
    expect(taken).toHaveLength(3 + 1 + 3 + 1);
  });

  it('move spend in those rollups only that tell the two places apart', () => {
    const deltas = createDeltas();
    deltas.emit(spent, row('d1', 'shop', 'ada'), [-1, -10]);
    deltas.emit(spent, row('d1', 'shop', 'grace'), [1, 10]);
    const taken = deltas.take();
    expect(rowsOf(taken, byProject)).toEqual({});
    expect(rowsOf(taken, byUserDay)).toEqual({ 'ada,d1': [-1n, -10n], 'grace,d1': [1n, 10n] });
  });

  it('forget where spend was in between', () => {
    const deltas = createDeltas();
    let looks = 0;
    const between = Object.assign([...row('d1', 'shop', 'ada')], {
      toJSON: () => {
        looks += 1;
        return [];
      },
    }) as unknown as ReturnType<typeof row>;
    deltas.emit(spent, between, [1, 2n ** 60n]);
    deltas.emit(spent, between, [-1, -(2n ** 60n)]);
    deltas.emit(spent, row('d1', 'shop', 'grace'), [1, 2n ** 60n]);
    expect(rowsOf(deltas.take(), spent)).toEqual({ 'd1,shop,grace': [1n, 2n ** 60n] });
    expect(looks).toBe(0);
  });

  it('are, of each coarser rollup, what a model adds up, whatever is emitted and taken', () => {
    const arbitraryRow = fc.tuple(
      fc.constantFrom('', 'd1', 'd2'),
      fc.constantFrom('', 'shop', 'a,b'),
      fc.constantFrom('ada', 'grace'),
    );
    // As projections emit them: a bigint only where a number would not be exact (amount.ts).
    const arbitraryAmount = fc.oneof(
      fc.integer({ min: -3, max: 3 }),
      fc.bigInt(2n ** 53n, 2n ** 60n),
      fc.bigInt(-(2n ** 60n), -(2n ** 53n)),
    );
    const arbitraryEmission = fc.tuple(
      arbitraryRow,
      fc.array(arbitraryAmount, { minLength: 1, maxLength: 2 }),
    );
    fc.assert(
      fc.property(
        fc.array(fc.array(arbitraryEmission, { maxLength: 12 }), { maxLength: 4 }),
        (batches) => {
          const deltas = createDeltas();
          for (const batch of batches) {
            for (const [texts, amounts] of batch) deltas.emit(spent, row(...texts), amounts);
            const taken = deltas.take();
            for (const rollup of [spent, byProject, byUserDay]) {
              const rows = taken
                .filter((delta) => delta.rollup === rollup)
                .map(({ dimensions, measures: sums }) => [dimensions, sums]);
              expect(rows.toSorted(byText)).toEqual(modelOf(batch, rollup).toSorted(byText));
            }
          }
        },
      ),
    );
  });
});

function modelOf(
  batch: readonly (readonly [readonly string[], readonly (number | bigint)[]])[],
  rollup: Rollup,
): unknown[][] {
  const sums = new Map<string, [bigint, bigint]>();
  for (const [row, [records = 0, nanoUsd = 0]] of batch) {
    const key = JSON.stringify(
      rollup.dimensions.map((name) => row[spent.dimensions.indexOf(name)]),
    );
    const [knownRecords, knownNanoUsd] = sums.get(key) ?? [0n, 0n];
    sums.set(key, [knownRecords + BigInt(records), knownNanoUsd + BigInt(nanoUsd)]);
  }
  return [...sums]
    .filter(([, sum]) => sum.some((each) => each !== 0n))
    .map(([key, sum]) => [JSON.parse(key), sum]);
}

function byText(left: unknown[], right: unknown[]): number {
  const [one, other] = [JSON.stringify(left[0]), JSON.stringify(right[0])];
  return one < other ? -1 : one > other ? 1 : 0;
}
