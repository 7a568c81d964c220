import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  keepSorted,
  keepSortedWithin,
  removeSorted,
} from '../../../../collector/projections/context/bounded.ts';

interface Item {
  readonly time: string;
  readonly name: string;
  readonly paths?: readonly (string | number)[];
}

const item = fc.record({
  time: fc.constantFrom('1', '2', '3'),
  name: fc.constantFrom('a', 'b', 'long'.repeat(100), 'longer'.repeat(200)),
  paths: fc.array(fc.constantFrom('p', 'path'.repeat(50), 7), { maxLength: 3 }),
});
const items = fc.array(item, { maxLength: 12 });
const textOf = (each: Item): string => JSON.stringify(each);
const inOrder = (list: readonly Item[]): Item[] =>
  list.toSorted((left, right) =>
    `${left.time} ${textOf(left)}` < `${right.time} ${textOf(right)}` ? -1 : 1,
  );

describe('a bounded list', () => {
  it('holds the first ones by time and text, and says of each whether one was left out', () => {
    fc.assert(
      fc.property(items, fc.nat(5), (list, max) => {
        const kept: Item[] = [];
        const left = list.map((each) => keepSorted(kept, each, max, textOf));
        expect(kept).toEqual(inOrder(list).slice(0, max));
        expect(left).toEqual(list.map((_, index) => (index < max ? 0 : 1)));
      }),
    );
  });

  it('looks at texts only where times are equal', () => {
    const kept: Item[] = ['1', '2', '4'].map((time) => ({ time, name: 'a' }));
    const never = (): string => {
      throw new Error('no text is needed');
    };
    expect(keepSorted(kept, { time: '3', name: 'a' }, 9, never)).toBe(0);
    expect(kept.map(({ time }) => time)).toEqual(['1', '2', '3', '4']);
  });

  it('gives out one item that is equal, and none that is not', () => {
    const [one, other] = [
      { time: '1', name: 'a' },
      { time: '1', name: 'b' },
    ];
    const kept: Item[] = [one, { ...one }, other];
    removeSorted(kept, { time: '1', name: 'a' }, textOf);
    expect(kept).toEqual([one, other]);
    removeSorted(kept, { time: '1', name: 'c' }, textOf);
    removeSorted(kept, { time: '2', name: 'a' }, ({ name }) => name);
    expect(kept).toEqual([one, other]);
  });
});

describe('a list that is bounded in bytes too', () => {
  const bounds = (max: number, bytesMax: number) => ({ max, bytesMax, textOf });

  it('says how many were left out, and never holds more than fits as JSON', () => {
    fc.assert(
      fc.property(
        items,
        fc.constantFrom(1, 4, 100),
        fc.constantFrom(0, 2_000, 20_000),
        (list, max, bytesMax) => {
          const kept: Item[] = [];
          const left = list.reduce(
            (sum, each) => sum + keepSortedWithin(kept, each, bounds(max, bytesMax)),
            0,
          );
          expect(kept.length + left).toBe(list.length);
          expect(kept.length).toBeLessThanOrEqual(max);
          expect(kept).toEqual(inOrder(kept));
          expect(
            kept.reduce((sum, each) => sum + Buffer.byteLength(JSON.stringify(each)), 0),
          ).toBeLessThanOrEqual(bytesMax);
        },
      ),
    );
  });

  it('decides the same when it comes out of a document, and has to add up what it holds', () => {
    fc.assert(
      fc.property(
        items,
        fc.constantFrom(2, 4, 100),
        fc.constantFrom(2_000, 5_000, 20_000),
        (list, max, bytesMax) => {
          const kept: Item[] = [];
          let reloaded: Item[] = [];
          for (const each of list) {
            keepSortedWithin(kept, each, bounds(max, bytesMax));
            reloaded = [...reloaded];
            keepSortedWithin(reloaded, each, bounds(max, bytesMax));
          }
          expect(kept).toEqual(reloaded);
        },
      ),
    );
  });

  it('has room for characters that take six bytes as JSON, in names and in paths', () => {
    const costly = (number: number): Item => ({
      time: String(number),
      name: '\u0001'.repeat(500),
      paths: ['\u0001'.repeat(500), 7],
    });
    const kept: Item[] = [];
    for (let number = 0; number < 9; number++)
      keepSortedWithin(kept, costly(number), bounds(9, 20_000));
    expect(kept.map(({ time }) => time)).toEqual(['0', '1', '2']);
    expect(JSON.stringify(kept).length).toBeGreaterThan(15_000);
  });

  it('keeps the first ones of equal size, whatever the order', () => {
    const list = Array.from({ length: 9 }, (_, number) => ({
      time: String(number),
      name: 'n'.repeat(100),
    }));
    for (const order of [
      list,
      list.toReversed(),
      list.toSorted(
        (left, right) => ((Number(left.time) * 4) % 9) - ((Number(right.time) * 4) % 9),
      ),
    ]) {
      const kept: Item[] = [];
      for (const each of order) keepSortedWithin(kept, each, bounds(100, 5_000));
      expect(kept.map(({ time }) => time)).toEqual(['0', '1', '2', '3']);
    }
  });
});
