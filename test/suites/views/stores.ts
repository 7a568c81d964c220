/**
 * What the parts of the suite of views have in common: how stores are opened, and short ways to
 * commit and ask.
 */
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
  /** Opens the same store once more. */
  reopen(): Promise<Views>;
  /** For a child process: the module, its export and the argument that open the same store. */
  readonly opener: { readonly module: string; readonly name: string; readonly argument: unknown };
}

/** Opens stores for tests; what was opened is closed after each test. */
export interface Stores {
  open(): Promise<ViewsUnderTest>;
  openViews(): Promise<Views>;
  /** With an empty live generation of `things`. */
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

/** Measures by the dimensions' values, joined. */
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
