import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Part, Projection } from '../../../../collector/projections/projection.ts';
import type {
  Condition,
  DocumentQuery,
  ViewDocument,
  ViewsReader,
} from '../../../../collector/views/views.ts';
import {
  cellsCount,
  documentOf,
  hold,
  joinedStores,
  mixed,
  picked,
  separate,
  type Thing,
} from './support.ts';

const stores = joinedStores();
const key = fc.constantFrom('a', 'b', 'c', 'd', '\u{e000}', '\u{10000}');
const thing = fc.record({
  size: fc.nat(3),
  label: fc.constantFrom('', 'x', 'y', '\u{ffff}', '\u{1f600}'),
});
const parts = fc.uniqueArray(fc.record({ key, cell: fc.nat(cellsCount - 1), state: thing }), {
  maxLength: 14,
  selector: (each) => `${each.key} ${each.cell}`,
});
const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    column: fc.constant('size'),
    is: fc.constantFrom('from' as const, 'before' as const),
    values: fc.nat(4).map((bound) => [bound]),
  }),
  fc.record({
    column: fc.constantFrom('label', 'key'),
    is: fc.constantFrom('from' as const, 'before' as const),
    values: fc.constantFrom(['b'], ['x'], ['\u{f000}']),
  }),
  fc.constantFrom<Condition>(
    { column: 'label', is: 'in', values: ['x', '\u{1f600}'] },
    { column: 'key', is: 'in', values: ['a', 'c', '\u{10000}'] },
    { column: 'size', is: 'in', values: [0, 2] },
  ),
);
const question = fc.record({
  where: fc.array(condition, { maxLength: 2 }),
  orderBy: fc.record({
    column: fc.constantFrom('size', 'label', 'key'),
    descending: fc.boolean(),
  }),
  limit: fc.integer({ min: 1, max: 5 }),
});

/** What one cell with all of these parts would hold. */
function wholes(
  projection: typeof mixed,
  given: readonly { readonly key: string; readonly state: Thing }[],
): ViewDocument[] {
  const join = projection.joining?.join ?? ((left) => left);
  return [...Map.groupBy(given, (each) => each.key)].map(([id, each]) => {
    const { state } = each
      .map(({ state }): Part<Thing> => ({ state, columns: { ...state } }))
      .reduce((left, right) => join(left, right));
    return documentOf(id, state);
  });
}

async function pages(
  views: ViewsReader,
  projection: Projection,
  query: DocumentQuery,
): Promise<ViewDocument[]> {
  const found: ViewDocument[] = [];
  for (let page = await views.find(projection, query); page.length > 0; ) {
    expect(page.length).toBeLessThanOrEqual(query.limit);
    found.push(...page);
    const last = page.at(-1) as ViewDocument;
    const { column } = query.orderBy;
    const value = column === 'key' ? last.key : (last.columns[column] ?? null);
    page = await views.find(projection, { ...query, after: { value, key: last.key } });
  }
  return found;
}

describe.each([separate, mixed, picked])('documents of cells: $name', (projection) => {
  it('are found, counted and paged through as if they were in one', async () => {
    const { single, cells, joined } = await stores.open();
    await fc.assert(
      fc.asyncProperty(parts, fc.array(question, { minLength: 4, maxLength: 4 }), async (...of) => {
        const [all, questions] = of;
        const given =
          projection.joining === undefined
            ? all.filter((each, at) => all.findIndex((one) => one.key === each.key) === at)
            : all;
        await hold(single, projection, { documents: wholes(projection, given) });
        for (const [number, views] of cells.entries())
          await hold(views, projection, {
            documents: given
              .filter(({ cell }) => cell === number)
              .map((each) => documentOf(each.key, each.state)),
          });
        for (const query of questions) {
          const expected = await pages(single, projection, query);
          expect(await pages(joined, projection, query)).toEqual(expected);
          expect(await joined.count(projection, query.where)).toBe(expected.length);
        }
      }),
      { numRuns: 40 },
    );
  });
});

it('bodies are left out where they are not wanted', async () => {
  const { cells, joined } = await stores.open();
  for (const projection of [separate, mixed]) {
    for (const [number, views] of cells.entries())
      await hold(views, projection, {
        documents: [documentOf(`k${number}`, { size: number, label: '' })],
      });
    const orderBy = { column: 'size', descending: true };
    const query = { where: [], orderBy, limit: 2, bodies: false };
    expect(await joined.find(projection, { ...query, limit: 0 })).toEqual([]);
    expect(await joined.find(projection, query)).toEqual([
      { key: 'k2', columns: { size: 2, label: '' }, body: '' },
      { key: 'k1', columns: { size: 1, label: '' }, body: '' },
    ]);
  }
});
