/** Queries that a coarser rollup can answer. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Projection, type Rollup, rowKey } from '../../../collector/projections/projection.ts';
import { createDeltas } from '../../../collector/subscription/deltas.ts';
import type {
  Condition,
  SumRow,
  TallyQuery,
  TallyRow,
  Views,
} from '../../../collector/views/views.ts';
import { delta, emptyCommit, goLive, type Stores } from './stores.ts';
import { thingSums, things } from './things.ts';

const { measures } = thingSums;
const day = '2026-11-22';
const projectSums: Rollup = {
  name: 'project_sums',
  dimensions: ['project'],
  measures,
  indexes: [],
};
const dayUserSums: Rollup = {
  name: 'day_user_sums',
  dimensions: ['day', 'user'],
  measures,
  indexes: [['day'], ['user', 'day']],
};
const layered: Rollup = { ...thingSums, coarser: [projectSums, dayUserSums] };
const layers: Projection = { ...things, rollups: [layered, projectSums, dayUserSums] };

export function describeCoarser({ openViews }: Stores): void {
  describe('a rollup with coarser ones', () => {
    it('answers from the first coarser one with all dimensions of the query', async () => {
      const views = await openViews();
      const generation = await goLive(views, layers);
      // Inconsistent rows, so that each answer shows its origin.
      const deltas = [
        delta([day, 'p', 'u'], [1n, 1n], layered),
        delta(['p'], [10n, 10n], projectSums),
        delta([day, 'u'], [100n, 100n], dayUserSums),
      ];
      await views.commit(layers, {
        ...emptyCommit,
        generation: generation.id,
        from: 0,
        to: 1,
        deltas,
      });
      const records = async (by: readonly string[], where: readonly Condition[] = []) =>
        (await views.sum(layers, layered, { by, where })).map((row) => row.measures.records);
      const from = { column: 'day', is: 'from', values: [day] } as const;
      const ofUser = { column: 'user', is: 'in', values: ['u'] } as const;
      expect(await records([])).toEqual([10n]);
      expect(await records(['project'])).toEqual([10n]);
      expect(await records(['day'])).toEqual([100n]);
      expect(await records([], [ofUser])).toEqual([100n]);
      expect(await records(['user'], [ofUser])).toEqual([100n]);
      expect(await records(['project', 'day'])).toEqual([1n]);
      expect(await records(['project'], [ofUser])).toEqual([1n]);
      expect(await records(['project'], [from])).toEqual([1n]);
      await expect(records(['weekday'])).rejects.toThrow('weekday');
      await expect(records(['project'], [{ ...ofUser, column: 'label' }])).rejects.toThrow('label');
    });

    it('is another view than without them: it must be folded anew', async () => {
      const views = await openViews();
      await goLive(views, things);
      expect(await views.live(layers)).toBeNull();
      const anew = await goLive(views, layers);
      expect(await views.live(layers)).toEqual(anew);
      expect(
        await views.live({
          ...layers,
          rollups: [{ ...layered, coarser: [projectSums] }, projectSums],
        }),
      ).toBeNull();
    });

    it('answers every question as its own rows would, whatever was emitted', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(arbitraryEmission, { maxLength: 8 }), { maxLength: 4 }),
          arbitraryQuestions,
          async (batches, questions) => {
            const views = await openViews();
            await fill(views, batches);
            for (const query of questions) {
              const answer = await views.sum(layers, layered, query);
              expect(textOf(answer)).toEqual(textOf(await views.sum(layers, thingSums, query)));
              expect(tallyText(await views.tally(layers, layered, query))).toEqual(
                tallyText(await tallyBySums(views, query)),
              );
            }
          },
        ),
        { numRuns: 30 },
      );
    });
  });
}

const values = {
  day: ['', '2026-11-21', '2026-11-22'],
  project: ['', 'p', 'q'],
  user: ['u', 'v'],
} as const;
const column = fc.constantFrom('day', 'project', 'user');

const arbitraryEmission = fc.tuple(
  fc.tuple(
    fc.constantFrom(...values.day),
    fc.constantFrom(...values.project),
    fc.constantFrom(...values.user),
  ),
  fc.tuple(fc.integer({ min: -2, max: 2 }), fc.bigInt(-(2n ** 56n), 2n ** 56n)),
);

const arbitraryCondition: fc.Arbitrary<Condition> = column.chain((name) =>
  fc.oneof(
    fc
      .subarray([...values[name]])
      .map((some): Condition => ({ column: name, is: 'in', values: some })),
    fc
      .tuple(fc.constantFrom('from' as const, 'before' as const), fc.constantFrom(...values[name]))
      .map(([is, value]): Condition => ({ column: name, is, values: [value] })),
  ),
);

const arbitraryQuestions: fc.Arbitrary<TallyQuery[]> = fc.array(
  fc.record({
    by: fc.uniqueArray(column, { maxLength: 3 }),
    of: column,
    where: fc.array(arbitraryCondition, { maxLength: 2 }),
  }),
  { minLength: 1, maxLength: 8 },
);

function keyOf(texts: readonly string[]) {
  const named = layered.dimensions.map((name, index) => [name, texts[index] ?? ''] as const);
  return rowKey(layered, Object.fromEntries(named));
}

/** Commits like the subscription. */
async function fill(
  views: Views,
  batches: readonly (readonly (readonly [string[], [number, bigint]])[])[],
): Promise<void> {
  const generation = await goLive(views, layers);
  const deltas = createDeltas();
  for (const [index, batch] of batches.entries()) {
    for (const [texts, amounts] of batch) deltas.emit(layered, keyOf(texts), amounts);
    const commit = {
      ...emptyCommit,
      generation: generation.id,
      from: index,
      to: index + 1,
      deltas: deltas.take(),
    };
    expect(await views.commit(layers, commit)).toBe('committed');
  }
}

function textOf(rows: readonly SumRow[]): string[] {
  return rows.map(({ dimensions, measures: sums }) =>
    [...Object.entries(dimensions), ...Object.entries(sums)].join(' '),
  );
}

/** What a tally means: how many rows the sums by that dimension, too, have in each group. */
async function tallyBySums(views: Views, { by, of, where }: TallyQuery): Promise<TallyRow[]> {
  const sums = await views.sum(layers, thingSums, { by: [...new Set([...by, of])], where });
  const groups = Map.groupBy(sums, ({ dimensions }) =>
    JSON.stringify(by.map((name) => [name, dimensions[name]])),
  );
  if (by.length === 0) return [{ dimensions: {}, count: sums.length }];
  return [...groups].map(([group, { length }]) => ({
    dimensions: Object.fromEntries(JSON.parse(group)),
    count: length,
  }));
}

/** In any order. */
function tallyText(rows: readonly TallyRow[]): string[] {
  return rows
    .map(({ dimensions, count }) => [...Object.entries(dimensions).toSorted(), count].join(' '))
    .toSorted();
}
