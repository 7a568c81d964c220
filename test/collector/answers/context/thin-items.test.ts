import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { thinItems } from '../../../../collector/answers/context/thin-items.ts';
import type { Item } from '../../../../collector/answers/context/timeline-items.ts';

const ordinary = ['turn', 'tool', 'model'] as const;
const marks = ['compaction', 'failedCompaction', 'branchSummary'] as const;

function items(kinds: readonly Item['kind'][], failed: readonly number[] = []): Item[] {
  return kinds.map(
    (kind, index) => ({ kind, id: String(index), failed: failed.includes(index) }) as Item,
  );
}

const isMark = ({ kind }: Item) => marks.some((mark) => mark === kind);
const kind = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...ordinary) },
  { weight: 2, arbitrary: fc.constantFrom('prompt' as const, 'wait' as const, 'retry' as const) },
  { weight: 1, arbitrary: fc.constantFrom(...marks) },
);

describe('thinning of a time line', () => {
  it('puts every item into one group, in order, and leaves marks alone', () => {
    fc.assert(
      fc.property(
        fc.array(kind, { maxLength: 200, size: 'max' }),
        fc.array(fc.nat(199), { maxLength: 10 }),
        fc.integer({ min: 1, max: 60 }),
        (kinds, failed, itemsMax) => {
          const given = items(kinds, failed);
          const groups = thinItems(given, itemsMax);
          expect(groups.flat()).toEqual(given);
          expect(groups.filter((group) => group.length > 1 && group.some(isMark))).toEqual([]);
          const markCount = given.filter(isMark).length;
          expect(groups.length).toBeLessThanOrEqual(Math.max(itemsMax, 2 * markCount + 1));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('merges ordinary answers and calls before anything else', () => {
    const given = items(['prompt', 'turn', 'tool', 'turn', 'turn', 'wait', 'tool', 'turn'], [3]);
    expect(thinItems(given, 7).map(({ length }) => length)).toEqual([1, 2, 1, 1, 1, 2]);
    // Then waits; the prompt and the failed answer are the last to go.
    expect(thinItems(given, 4).map(({ length }) => length)).toEqual([1, 2, 1, 4]);
    expect(thinItems(given, 1).map(({ length }) => length)).toEqual([8]);
  });

  it('shares out what the limit leaves by length', () => {
    const long = Array.from({ length: 90 }, () => 'turn' as const);
    const groups = thinItems(items([...long, 'compaction', ...long.slice(0, 10)]), 13);
    const [ten, two] = [Array.from({ length: 10 }, () => 9), [5, 5]];
    expect(groups.map(({ length }) => length)).toEqual([...ten, 1, ...two]);
  });

  it('changes nothing where everything fits', () => {
    const given = items(['prompt', 'turn']);
    expect(thinItems(given, 2)).toEqual(given.map((item) => [item]));
  });
});
