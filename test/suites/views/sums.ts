import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commit, delta, find, goLive, type Stores, sum, thing } from './stores.ts';
import { thingSums, things } from './things.ts';

export function describeSums({ openViews, openLive }: Stores): void {
  describe('sums', () => {
    it('adds deltas up, negative ones too, and forgets rows that come to nothing', async () => {
      const { views, generation } = await openLive();
      const at = { ...generation, checkpoint: 1 };
      await commit(views, generation, 1, {
        deltas: [delta(['d', 'p', 'u'], [2n, 30n]), delta(['d', 'q', 'u'], [1n, -5n])],
      });
      await commit(views, at, 2, {
        deltas: [delta(['d', 'p', 'u'], [-2n, -30n]), delta(['d', 'q', 'u'], [1n, 7n])],
      });
      expect(await sum(views, ['project'])).toEqual({ q: [2n, 2n] });
      await commit(views, { ...generation, checkpoint: 2 }, 3, {
        deltas: [delta(['d', 'p', 'u'], [1n, 0n])],
      });
      expect(await sum(views, ['project'])).toEqual({ p: [1n, 0n], q: [2n, 2n] });
    });

    it('tallies the words of groups, without those whose rows cancel each other', async () => {
      const { views, generation } = await openLive();
      const tally = async (by: readonly string[]) =>
        Object.fromEntries(
          (await views.tally(things, thingSums, { by, of: 'user', where: [] })).map(
            ({ dimensions, count }) => [by.map((name) => dimensions[name]).join(' '), count],
          ),
        );
      expect(await tally(['project'])).toEqual({});
      expect(await tally([])).toEqual({ '': 0 });
      await commit(views, generation, 1, {
        deltas: [
          delta(['d', 'p', 'u'], [1n, 30n]),
          delta(['e', 'p', 'u'], [1n, 0n]),
          delta(['d', 'p', 'v'], [0n, 2n]),
          delta(['d', 'q', 'u'], [1n, 5n]),
        ],
      });
      expect(await tally(['project'])).toEqual({ p: 2, q: 1 });
      expect(await tally([])).toEqual({ '': 2 });
      expect(await tally(['user'])).toEqual({ u: 1, v: 1 });
      await commit(views, { ...generation, checkpoint: 1 }, 2, {
        deltas: [delta(['e', 'p', 'v'], [0n, -2n]), delta(['d', 'q', 'v'], [1n, 2n ** 70n])],
      });
      expect(await tally(['project'])).toEqual({ p: 1, q: 2 });
      expect(await tally([])).toEqual({ '': 2 });
      await commit(views, { ...generation, checkpoint: 2 }, 3, {
        deltas: [delta(['e', 'q', 'v'], [-1n, -(2n ** 70n)])],
      });
      expect(await tally(['project'])).toEqual({ p: 1, q: 1 });
    });

    it('is exact to the last nano-dollar beyond 2^53', async () => {
      const { views, generation } = await openLive();
      // Ten million records of $0.0000013 on each of a thousand projects, and single amounts that a
      // double cannot hold.
      const projects = Array.from({ length: 1_000 }, (_, index) =>
        delta(['d', `p${index}`, 'u'], [10_000_000n, 13_000_000_000n]),
      );
      const odd = [9_007_199_254_740_993n, 4_611_686_018_427_387_905n, -9_007_199_254_740_995n];
      await commit(views, generation, 1, { deltas: projects });
      for (const [index, amount] of odd.entries()) {
        await commit(views, { ...generation, checkpoint: index + 1 }, index + 2, {
          deltas: [delta(['d', 'p0', 'u'], [1n, amount])],
        });
      }
      const exact = odd.reduce((total, amount) => total + amount, 13_000_000_000_000n);
      expect(await sum(views, [])).toEqual({ '': [10_000_000_003n, exact] });
      expect(
        await sum(views, ['project'], [{ column: 'project', is: 'in', values: ['p1'] }]),
      ).toEqual({
        p1: [10_000_000n, 13_000_000_000n],
      });
    });

    it('is exact beyond 64 bits and back: a row, an answer, a single commit', async () => {
      const { views, generation } = await openLive();
      const max = 2n ** 63n - 1n;
      let at = generation;
      const add = async (row: readonly [string, string, string], nanoUsd: bigint, records = 1n) => {
        const to = at.checkpoint + 1;
        expect(
          await commit(views, at, to, {
            documents: [thing('a')],
            deltas: [delta(row, [records, nanoUsd])],
          }),
        ).toBe('committed');
        at = { ...at, checkpoint: to };
      };
      await add(['d', 'p', 'u'], max);
      await add(['d', 'p', 'u'], max);
      await add(['d', 'p', 'v'], max);
      await add(['d', 'q', 'u'], -max);
      await add(['d', 'q', 'u'], -5n * max);
      await add(['d', 'r', 'u'], 1_000n * max, -3n * max);
      expect(await sum(views, ['project'])).toEqual({
        p: [3n, 3n * max],
        q: [2n, -6n * max],
        r: [-3n * max, 1_000n * max],
      });
      expect(await sum(views, ['project', 'user'])).toMatchObject({
        'p,u': [2n, 2n * max],
        'p,v': [1n, max],
      });
      expect(await sum(views, ['user'], [{ column: 'project', is: 'in', values: ['p'] }])).toEqual({
        u: [2n, 2n * max],
        v: [1n, max],
      });
      expect(await sum(views, [])).toEqual({ '': [5n - 3n * max, 997n * max] });
      await add(['d', 'r', 'u'], -1_000n * max, 3n * max);
      await add(['d', 'q', 'u'], 6n * max, -2n);
      await add(['d', 'p', 'u'], 1n - 2n * max);
      expect(await sum(views, ['project', 'user'])).toEqual({ 'p,u': [3n, 1n], 'p,v': [1n, max] });
      expect((await find(views)).map(({ key }) => key)).toEqual(['a']);
    });

    it('groups by any dimensions and narrows by any conditions', async () => {
      const { views, generation } = await openLive();
      const rows = [
        ['2026-11-20', 'shop', 'ada'],
        ['2026-11-21', 'shop', 'ada'],
        ['2026-11-21', 'shop', 'grace'],
        ['2026-11-22', 'compiler', 'grace'],
        ['2026-11-23', '', ''],
      ];
      await commit(views, generation, 1, {
        deltas: rows.map((row, index) => delta(row, [1n, 10n ** BigInt(index)])),
      });
      expect(await sum(views, ['project'])).toEqual({
        '': [1n, 10_000n],
        compiler: [1n, 1_000n],
        shop: [3n, 111n],
      });
      expect(await sum(views, ['user', 'project'])).toEqual({
        ',': [1n, 10_000n],
        'ada,shop': [2n, 11n],
        'grace,compiler': [1n, 1_000n],
        'grace,shop': [1n, 100n],
      });
      const days = [
        { column: 'day', is: 'from', values: ['2026-11-21'] },
        { column: 'day', is: 'before', values: ['2026-11-23'] },
      ] as const;
      expect(await sum(views, ['day'], days)).toEqual({
        '2026-11-21': [2n, 110n],
        '2026-11-22': [1n, 1_000n],
      });
      expect(
        await sum(
          views,
          ['user'],
          [...days, { column: 'project', is: 'in', values: ['shop', 'none'] }],
        ),
      ).toEqual({
        ada: [1n, 10n],
        grace: [1n, 100n],
      });
      expect(await sum(views, [], [{ column: 'user', is: 'in', values: ['', 'ada'] }])).toEqual({
        '': [3n, 10_011n],
      });
      expect(await sum(views, [], [{ column: 'user', is: 'in', values: [] }])).toEqual({
        '': [0n, 0n],
      });
      expect(await sum(views, ['day'], [{ column: 'user', is: 'in', values: ['nobody'] }])).toEqual(
        {},
      );
    });

    it('refuses dimensions and columns that do not exist', async () => {
      const { views } = await openLive();
      await expect(sum(views, ['weekday'])).rejects.toThrow('weekday');
      await expect(sum(views, [], [{ column: 'label', is: 'in', values: ['x'] }])).rejects.toThrow(
        'label',
      );
      await expect(
        find(views, { where: [{ column: 'day', is: 'in', values: ['x'] }] }),
      ).rejects.toThrow('day');
      await expect(find(views, { orderBy: { column: 'body', descending: false } })).rejects.toThrow(
        'body',
      );
    });

    it('has no row of zeros, whether nothing was added or a debt was paid', async () => {
      const views = await openViews();
      const generation = await goLive(views, things);
      const [nothing, debt] = [
        ['d', '', 'u'],
        ['d', '', 'v'],
      ] as const;
      await commit(views, generation, 1, {
        deltas: [delta(nothing, [0n, 0n]), delta(debt, [-1n, 0n])],
      });
      await commit(views, { ...generation, checkpoint: 1 }, 2, { deltas: [delta(debt, [1n, 0n])] });
      expect(await sum(views, ['day', 'project', 'user'])).toEqual({});
    });

    it('holds the rows that a simple model holds, whatever is committed', async () => {
      const arbitraryDelta = fc.record({
        row: fc.tuple(
          fc.constantFrom('', 'd1', 'd2'),
          fc.constantFrom('', 'p'),
          fc.constantFrom('u', 'v'),
        ),
        amounts: fc.tuple(
          fc.bigInt(-2n, 2n),
          fc.oneof(fc.bigInt(-(2n ** 56n), 2n ** 56n), fc.bigInt(-(2n ** 66n), 2n ** 66n)),
        ),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.uniqueArray(arbitraryDelta, { maxLength: 6, selector: ({ row }) => row.join() }),
            { maxLength: 8 },
          ),
          async (commits) => {
            const views = await openViews();
            let generation = await goLive(views, things);
            const model = new Map<string, [bigint, bigint]>();
            for (const deltas of commits) {
              const to = generation.checkpoint + 1;
              await commit(views, generation, to, {
                deltas: deltas.map(({ row, amounts }) => delta(row, amounts)),
              });
              generation = { ...generation, checkpoint: to };
              for (const { row, amounts } of deltas) addToModel(model, row.join(), amounts);
            }
            expect(await sum(views, ['day', 'project', 'user'])).toEqual(Object.fromEntries(model));
          },
        ),
        { numRuns: 30 },
      );
    });
  });
}

function addToModel(
  model: Map<string, [bigint, bigint]>,
  row: string,
  [records, nanoUsd]: readonly [bigint, bigint],
): void {
  const [knownRecords, knownNanoUsd] = model.get(row) ?? [0n, 0n];
  const sums: [bigint, bigint] = [knownRecords + records, knownNanoUsd + nanoUsd];
  if (sums[0] === 0n && sums[1] === 0n) model.delete(row);
  else model.set(row, sums);
}
