import fc from 'fast-check';
import { expect, it } from 'vitest';
import { joinedPosition } from '../../../../collector/cells/log/cell-positions.ts';
import { joinViews } from '../../../../collector/cells/views/joined-views.ts';
import type { RollupDelta } from '../../../../collector/views/views.ts';
import { goLive } from '../../../suites/views/stores.ts';
import { cellsCount, hold, joinedStores, separate, sums } from './support.ts';

const stores = joinedStores();

/** A session's rows are in one cell; days and labels are in all. */
const row = fc.record({
  session: fc.nat(7),
  day: fc.constantFrom('d1', 'd2'),
  label: fc.constantFrom('', 'x', '\u{ffff}', '\u{1f600}'),
  measures: fc.constantFrom<readonly bigint[]>(
    [1n, 5n],
    [1n, 2n ** 62n],
    [-1n, -5n],
    [0n, -(2n ** 62n)],
  ),
});

function deltasOf(
  rows: readonly { session: number; day: string; label: string; measures: readonly bigint[] }[],
) {
  const groups = Map.groupBy(rows, ({ session, day, label }) => `${day} ${session} ${label}`);
  return [...groups.values()].map((each): RollupDelta => {
    const { day = '', session = 0, label = '' } = each[0] ?? {};
    const measures = sums.measures.map((_, at) =>
      each.reduce((sum, one) => sum + (one.measures[at] ?? 0n), 0n),
    );
    return { rollup: sums, dimensions: [day, `s${session}`, label], measures };
  });
}

it('sums add up and words are counted once, however rows cancel each other', async () => {
  const { single, cells, joined } = await stores.open();
  const by = fc.subarray([...sums.dimensions]);
  const question = fc.tuple(by, fc.constantFrom(...sums.dimensions), fc.boolean());
  const given = fc.array(row, { maxLength: 16 });
  await fc.assert(
    fc.asyncProperty(given, fc.array(question, { minLength: 4, maxLength: 4 }), async (...of) => {
      const [rows, questions] = of;
      await hold(single, separate, { deltas: deltasOf(rows) });
      for (const [number, views] of cells.entries()) {
        const own = rows.filter(({ session }) => session % cellsCount === number);
        await hold(views, separate, { deltas: deltasOf(own) });
      }
      for (const [names, word, isOne] of questions) {
        const where = isOne ? [{ column: 'day', is: 'in' as const, values: ['d1'] }] : [];
        const query = { by: names, where };
        expect(await joined.sum(separate, sums, query)).toEqual(
          await single.sum(separate, sums, query),
        );
        const tally = { ...query, of: word };
        expect(new Set(await joined.tally(separate, sums, tally))).toEqual(
          new Set(await single.tally(separate, sums, tally)),
        );
      }
    }),
    { numRuns: 60 },
  );
});

it('there is a generation once every cell has one, and another one with each change', async () => {
  const { cells } = await stores.open();
  const heads = [1, 2, 0];
  const joined = joinViews(
    cells.map((views, cell) => ({ views, log: { head: async () => heads[cell] ?? 0 } })),
  );
  const ids: number[] = [];
  for (const views of cells) {
    expect(await joined.live(separate)).toBeNull();
    await goLive(views, separate);
  }
  for (const views of cells) {
    await goLive(views, separate);
    ids.push((await joined.live(separate))?.id ?? 0);
  }
  expect(new Set(ids).size).toBe(cells.length);
  const reached = async () => (await joined.live(separate))?.checkpoint;
  expect(await reached()).toBe(0);
  await hold(cells[0] as (typeof cells)[0], separate, {});
  expect(await reached()).toBe(joinedPosition({ cell: 1, position: 0 }));
  await hold(cells[1] as (typeof cells)[0], separate, {});
  expect(await reached()).toBe(joinedPosition({ cell: 1, position: 1 }));
  heads[1] = 1;
  const live = await joined.live(separate);
  expect(live?.checkpoint).toBe(joinedPosition({ cell: 1, position: 1 }));
  expect(live?.parts?.map(({ checkpoint }) => checkpoint)).toEqual(
    [1, 1, 0].map((position, cell) => joinedPosition({ cell, position })),
  );
});

it('what cells set aside is listed by its place in the joined log', async () => {
  const { cells, joined } = await stores.open();
  for (const [number, views] of cells.entries()) {
    const { id } = await goLive(views, separate);
    const setAside = [1, 2].map((position) => ({
      ...{ position, eventId: `${number}-${position}`, reason: 'too large' },
    }));
    const commit = { generation: id, from: 0, to: 2, documents: [], deltas: [], setAside };
    await views.commit(separate, commit);
  }
  const { count, events } = await joined.setAside(separate, 3);
  expect(count).toBe(2 * cellsCount);
  expect(events.map(({ position, eventId }) => [position, eventId])).toEqual([
    [1, '0-1'],
    [2, '0-2'],
    [joinedPosition({ cell: 1, position: 1 }), '1-1'],
  ]);
});
