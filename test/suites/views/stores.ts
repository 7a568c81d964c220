/** Shared parts of the suite of views: opening stores, and short ways to commit and query. */
import { expect } from 'vitest';
import type { Projection, Rollup, Scalar } from '../../../collector/projections/projection.ts';
import type {
  Commit,
  DocumentQuery,
  Generation,
  RollupDelta,
  SumQuery,
  ViewDocument,
  Views,
} from '../../../collector/views/views.ts';
import { thingSums, things } from './things.ts';

export interface ViewsUnderTest {
  readonly views: Views;
  /** Opens the same store again. */
  reopen(): Promise<Views>;
  /** The module, export and argument with which a child process opens the same store. */
  readonly opener: { readonly module: string; readonly name: string; readonly argument: unknown };
}

/** Opens stores for tests, and closes them after each test. */
export interface Stores {
  open(): Promise<ViewsUnderTest>;
  openViews(): Promise<Views>;
  /** Opens views with an empty live generation of `things`. */
  openLive(): Promise<{ readonly views: Views; readonly generation: Generation }>;
}

export const everything: DocumentQuery = {
  where: [],
  orderBy: { column: 'key', descending: false },
  limit: 1_000,
};
export const emptyCommit = { documents: [], deltas: [] };

export async function goLive(views: Views, projection: Projection): Promise<Generation> {
  const generation = await views.begin(projection);
  expect(await views.promote(projection, generation.id)).toBe('promoted');
  return generation;
}

export function commit(
  views: Views,
  generation: Generation,
  to: number,
  change: Partial<Pick<Commit, 'documents' | 'deltas' | 'setAside'>> = {},
) {
  return views.commit(things, {
    ...emptyCommit,
    ...change,
    generation: generation.id,
    from: generation.checkpoint,
    to,
  });
}

export function find(
  views: Views,
  query: Partial<DocumentQuery> = {},
): Promise<readonly ViewDocument[]> {
  return views.find(things, { ...everything, ...query });
}

export async function keys(views: Views): Promise<string[]> {
  return (await find(views)).map(({ key }) => key);
}

/** Measures by the joined values of the dimensions. */
export async function sum(
  views: Views,
  by: readonly string[],
  where: SumQuery['where'] = [],
): Promise<Record<string, bigint[]>> {
  const rows = await views.sum(things, thingSums, { by, where });
  return Object.fromEntries(
    rows.map(({ dimensions, measures }) => [
      by.map((name) => dimensions[name]).join(),
      thingSums.measures.map((name) => measures[name] ?? 0n),
    ]),
  );
}

export function thing(
  key: string,
  columns: Record<string, Scalar> = {},
  body = `{"key":${JSON.stringify(key)}}`,
): ViewDocument {
  return { key, columns: { label: null, size: null, ...columns }, body };
}

export function delta(
  dimensions: readonly string[],
  measures: readonly bigint[],
  rollup: Rollup = thingSums,
): RollupDelta {
  return { rollup, dimensions, measures };
}
