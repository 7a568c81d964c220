import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Scalar } from '../../../collector/projections/projection.ts';
import type { DocumentQuery, ViewDocument, Views } from '../../../collector/views/views.ts';
import { commit, find, goLive, type Stores, thing } from './stores.ts';
import { things } from './things.ts';

export function describeFinds({ openViews, openLive }: Stores): void {
  describe('find', () => {
    it('narrows by columns and by key', async () => {
      const { views, generation } = await openLive();
      const documents = [
        thing('a', { label: 'x', size: 1 }),
        thing('b', { label: 'y', size: 2 }),
        thing('c', { label: null, size: 3 }),
      ];
      await commit(views, generation, 1, { documents });
      const found = async (...where: DocumentQuery['where']) => {
        const keys = (await find(views, { where })).map(({ key }) => key);
        expect(await views.count(things, where)).toBe(keys.length);
        return keys;
      };
      expect(await found({ column: 'label', is: 'in', values: ['x', 'y'] })).toEqual(['a', 'b']);
      expect(await found({ column: 'label', is: 'in', values: [null, 'x'] })).toEqual(['a', 'c']);
      expect(await found({ column: 'size', is: 'from', values: [2] })).toEqual(['b', 'c']);
      expect(await found({ column: 'size', is: 'before', values: [2] })).toEqual(['a']);
      expect(await found({ column: 'key', is: 'in', values: ['c', 'z'] })).toEqual(['c']);
      expect(
        await found(
          { column: 'size', is: 'from', values: [2] },
          { column: 'label', is: 'in', values: ['y'] },
        ),
      ).toEqual(['b']);
      expect(await found({ column: 'label', is: 'in', values: [] })).toEqual([]);
    });

    it('leaves bodies out where they are not wanted', async () => {
      const { views, generation } = await openLive();
      const documents = [thing('a', { label: 'x', size: 1 }), thing('b', { label: 'y', size: 2 })];
      await commit(views, generation, 1, { documents });
      const found = await find(views, {
        where: [{ column: 'size', is: 'from', values: [2] }],
        bodies: false,
      });
      expect(found).toEqual([{ ...documents[1], body: '' }]);
      expect(await find(views, { where: [], bodies: true })).toEqual(documents);
    });

    it('pages through everything once, in order, however many are tied', async () => {
      const arbitraryDocument = fc.record({
        key: fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 4 }),
        size: fc.constantFrom(null, 1, 2),
        label: fc.constantFrom(null, 'x', 'y'),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(arbitraryDocument, { maxLength: 25, selector: ({ key }) => key }),
          fc.constantFrom('size', 'label', 'key'),
          fc.boolean(),
          fc.integer({ min: 1, max: 7 }),
          async (wished, column, descending, limit) => {
            const views = await openViews();
            const documents = wished.map(({ key, ...columns }) => thing(key, columns));
            await commit(views, await goLive(views, things), 1, { documents });
            const paged = await readPages(views, {
              where: [],
              orderBy: { column, descending },
              limit,
            });
            const sorted = documents.toSorted(
              (left, right) => compareDocuments(column, left, right) * (descending ? -1 : 1),
            );
            expect(paged.map(({ key }) => key)).toEqual(sorted.map(({ key }) => key));
          },
        ),
        { numRuns: 60 },
      );
    });
  });
}

async function readPages(views: Views, query: DocumentQuery): Promise<ViewDocument[]> {
  const found: ViewDocument[] = [];
  for (let page = await views.find(things, query); page.length > 0; ) {
    found.push(...page);
    const last = page.at(-1) as ViewDocument;
    page = await views.find(things, {
      ...query,
      after: { value: columnOf(query.orderBy.column, last), key: last.key },
    });
  }
  return found;
}

function columnOf(column: string, document: ViewDocument): Scalar {
  return column === 'key' ? document.key : (document.columns[column] ?? null);
}

/** A missing value sorts before all others. */
function compareDocuments(column: string, left: ViewDocument, right: ViewDocument): number {
  const [one, other] = [columnOf(column, left), columnOf(column, right)];
  if (one === other) return left.key < right.key ? -1 : 1;
  if (one === null || other === null) return one === null ? -1 : 1;
  return one < other ? -1 : 1;
}
