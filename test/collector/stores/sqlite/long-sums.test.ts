/** Sums of many rows: in slices, with the answer that one sum would have. */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Projection, Rollup } from '../../../../collector/projections/projection.ts';
import type { Generation, SumQuery, SumRow, Views } from '../../../../collector/views/views.ts';
import { openViewsAt } from '../../../suites/views/open-sqlite.ts';
import { delta, emptyCommit, goLive } from '../../../suites/views/stores.ts';
import { thingSums, things } from '../../../suites/views/things.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { turnsOfOthers } from '../../support/turns.ts';

const { measures } = thingSums;
/** Stored by row ids; the coarser one is stored in the order of its dimensions. */
const narrow: Rollup = { name: 'narrow', dimensions: ['project', 'user'], measures, indexes: [] };
const wide: Rollup = { ...thingSums, coarser: [narrow] };
const long: Projection = { ...things, rollups: [wide, narrow] };
const rowCount = 9_000;
const days = ['2026-11-21', '2026-11-22'];

const directory = temporaryDirectory();
let views: Views;
let generation: Generation;
let stores = 0;

interface Row {
  readonly dimensions: Readonly<Record<string, string>>;
  readonly amounts: readonly bigint[];
}

/** 2^70 in one row: its sum has a high part. */
const rows: readonly Row[] = Array.from({ length: rowCount }, (_, index) => ({
  dimensions: {
    day: days[index % 2] ?? '',
    project: `p${Math.floor(index / 3)}`,
    user: `u${index % 7}`,
  },
  amounts: [1n, index === 4_321 ? 2n ** 70n : BigInt(index)],
}));

beforeEach(async () => {
  stores += 1;
  views = await openViewsAt({ path: join(directory, `${stores}.db`) });
  generation = await goLive(views, long);
  await add(0, rows);
});
afterEach(() => views.close());

async function add(from: number, added: readonly Row[]): Promise<void> {
  const narrowed = new Map<string, Row>();
  for (const { dimensions, amounts } of added) {
    const key = `${dimensions.project} ${dimensions.user}`;
    const known = narrowed.get(key)?.amounts ?? [0n, 0n];
    const sums = amounts.map((amount, at) => amount + (known[at] ?? 0n));
    narrowed.set(key, { dimensions, amounts: sums });
  }
  const of = (rollup: Rollup, { dimensions, amounts }: Row) =>
    delta(
      rollup.dimensions.map((name) => dimensions[name] ?? ''),
      amounts,
      rollup,
    );
  const deltas = [
    ...added.map((row) => of(wide, row)),
    ...[...narrowed.values()].map((row) => of(narrow, row)),
  ];
  const change = { ...emptyCommit, generation: generation.id, from, to: from + 1, deltas };
  expect(await views.commit(long, change)).toBe('committed');
}

const ask = (query: SumQuery): Promise<readonly SumRow[]> => views.sum(long, wide, query);

/** The same by plain addition. */
function expected(of: readonly Row[], by: readonly string[]): readonly unknown[] {
  const groups = new Map<string, bigint[]>();
  for (const { dimensions, amounts } of of) {
    const key = JSON.stringify(by.map((name) => dimensions[name]));
    const known = groups.get(key) ?? [0n, 0n];
    groups.set(
      key,
      amounts.map((amount, at) => amount + (known[at] ?? 0n)),
    );
  }
  return [...groups].filter(([, [one, other]]) => one !== 0n || other !== 0n).toSorted();
}

const said = (found: readonly SumRow[], by: readonly string[]) =>
  found
    .map(({ dimensions, measures: own }) => [
      JSON.stringify(by.map((name) => dimensions[name])),
      measures.map((name) => own[name]),
    ])
    .toSorted();

describe('a sum of many rows', () => {
  it.each([[['project']], [['project', 'user']], [['day', 'project']], [['day']], [[]]])(
    'by %j is what its rows come to',
    async (by) => {
      expect(said(await ask({ by, where: [] }), by)).toEqual(expected(rows, by));
    },
  );

  it('is sorted, and narrowed, like a short one', async () => {
    const where = [{ column: 'day', is: 'from' as const, values: [days[1] ?? ''] }];
    const of = rows.filter(({ dimensions }) => dimensions.day === days[1]);
    const found = await ask({ by: ['user', 'project'], where });
    expect(said(found, ['user', 'project'])).toEqual(expected(of, ['user', 'project']));
    const names = found.map(({ dimensions }) => `${dimensions.user} ${dimensions.project}`);
    expect(names).toEqual(names.toSorted());
  });

  it('leaves the thread to others, and is of one moment whatever they commit', async () => {
    const by = ['day', 'project'];
    let found: readonly SumRow[] = [];
    const turns = await turnsOfOthers(async () => {
      const sum = ask({ by, where: [] });
      await new Promise((resolve) => setImmediate(resolve));
      // Each row moves to another day.
      const moves = rows.flatMap(({ dimensions, amounts }) => [
        { dimensions, amounts: amounts.map((amount) => -amount) },
        { dimensions: { ...dimensions, day: '2026-11-23' }, amounts },
      ]);
      await add(1, moves);
      found = await sum;
    });
    expect(turns).toBeGreaterThan(3);
    expect(said(found, by)).toEqual(expected(rows, by));
    expect((await ask({ by: ['day'], where: [] })).map((row) => row.dimensions.day)).toEqual([
      '2026-11-23',
    ]);
  });

  it('waits for others before it, and ends though the views are closed meanwhile', async () => {
    const sums = [ask({ by: ['day', 'user'], where: [] }), ask({ by: ['project'], where: [] })];
    await new Promise((resolve) => setImmediate(resolve));
    const [first, second] = [sums[0], sums[1]?.catch((error: Error) => error.message)];
    await views.close();
    expect(said((await first) ?? [], ['day', 'user'])).toEqual(expected(rows, ['day', 'user']));
    expect(await second).toContain('closed');
    views = await openViewsAt({ path: join(directory, `${stores}.db`) });
  });
});
