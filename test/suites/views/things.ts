/**
 * The projection of the suite of views, and the story told by the child process of its crash test.
 */
import { expect } from 'vitest';
import type { Projection, Rollup } from '../../../collector/projections/projection.ts';
import type { Commit, Views } from '../../../collector/views/views.ts';

export const thingSums: Rollup = {
  name: 'thing_sums',
  dimensions: ['day', 'project', 'user'],
  measures: ['records', 'nanoUsd'],
  indexes: [['project', 'day']],
};

export const things: Projection = {
  name: 'things',
  version: 3,
  settings: 'as they are',
  rollups: [thingSums],
  columns: { label: 'text', size: 'integer' },
  indexes: [['label'], ['label', 'size']],
  key: () => null,
  initial: () => null,
  evolve: (state) => state,
  columnsOf: () => ({}),
  encode: () => '',
  decode: () => null,
};

const documentsCount = 5;

/** Commit n: a row moves to another user, and some documents are written. */
export function storyCommit(generation: number, to: number): Commit {
  const row = (position: number) => ['d', 'p', `u${position % 3}`];
  return {
    generation,
    from: to - 1,
    to,
    documents: Array.from({ length: documentsCount }, (_, index) => ({
      key: `k${index}`,
      columns: { size: to },
      body: `${to}`,
    })),
    deltas: [
      { rollup: thingSums, dimensions: row(to - 1), measures: [-1n, BigInt(1 - to)] },
      { rollup: thingSums, dimensions: row(to), measures: [2n, BigInt(2 * to)] },
    ],
  };
}

/**
 * Checks that the views contain exactly the first `checkpoint` commits of the story. Returns the
 * checkpoint.
 */
export async function expectConsistent(views: Views): Promise<number> {
  const live = await views.live(things);
  const checkpoint = live?.checkpoint ?? 0;
  const found = await views.find(things, {
    where: [],
    orderBy: { column: 'key', descending: false },
    limit: 100,
  });
  expect(found.map(({ body }) => Number(body))).toEqual(new Array(documentsCount).fill(checkpoint));
  expect(found.map(({ columns }) => columns.size)).toEqual(
    new Array(documentsCount).fill(checkpoint),
  );
  const rows = await views.sum(things, thingSums, { by: ['user'], where: [] });
  const expected = new Map<string, [bigint, bigint]>();
  for (let to = 1; to <= checkpoint; to++) {
    for (const { dimensions, measures } of storyCommit(0, to).deltas) {
      const [records, nanoUsd] = expected.get(dimensions[2] ?? '') ?? [0n, 0n];
      expected.set(dimensions[2] ?? '', [
        records + (measures[0] ?? 0n),
        nanoUsd + (measures[1] ?? 0n),
      ]);
    }
  }
  const isThere = [...expected].filter(
    ([, [records, nanoUsd]]) => records !== 0n || nanoUsd !== 0n,
  );
  expect(
    rows.map(({ dimensions, measures }) => [dimensions.user, [measures.records, measures.nanoUsd]]),
  ).toEqual(isThere.toSorted());
  return checkpoint;
}
