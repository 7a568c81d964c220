import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Cut,
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

  interface Kept {
    items: Item[];
    cut: Cut | undefined;
    left: number;
  }

  const empty = (): Kept => ({ items: [], cut: undefined, left: 0 });

  function keep(kept: Kept, each: Item, max: number, bytesMax: number): void {
    const { left, cut } = keepSortedWithin(kept.items, each, bounds(max, bytesMax), kept.cut);
    kept.left += left;
    kept.cut = cut;
  }

  function keptOf(list: readonly Item[], max: number, bytesMax: number): Kept {
    const kept = empty();
    for (const each of list) keep(kept, each, max, bytesMax);
    return kept;
  }

  const limited = [items, fc.constantFrom(1, 4, 100), fc.constantFrom(0, 2_000, 20_000)] as const;

  it('says how many were left out, and never holds more than fits as JSON', () => {
    fc.assert(
      fc.property(...limited, (list, max, bytesMax) => {
        const { items: kept, left } = keptOf(list, max, bytesMax);
        expect(kept.length + left).toBe(list.length);
        expect(kept.length).toBeLessThanOrEqual(max);
        expect(kept).toEqual(inOrder(kept));
        expect(
          kept.reduce((sum, each) => sum + Buffer.byteLength(JSON.stringify(each)), 0),
        ).toBeLessThanOrEqual(bytesMax);
      }),
    );
  });

  it('holds the same in any order: all before the first item left out', () => {
    fc.assert(
      fc.property(...limited, fc.infiniteStream(fc.nat(100)), (list, max, bytesMax, weights) => {
        const weighed = list.map((each) => ({ each, weight: weights.next().value ?? 0 }));
        const shuffled = weighed
          .toSorted((left, right) => left.weight - right.weight)
          .map(({ each }) => each);
        const kept = keptOf(list, max, bytesMax);
        expect(keptOf(shuffled, max, bytesMax)).toEqual(kept);
        expect(kept.items).toEqual(inOrder(list).slice(0, kept.items.length));
        expect(kept.cut === undefined).toBe(kept.left === 0);
      }),
    );
  });

  it('keeps no small one behind a large one for which there is no room', () => {
    const [small, large, last] = [10, 500, 10].map((length, number) => ({
      time: String(number),
      name: 'n'.repeat(length),
    })) as [Item, Item, Item];
    for (const order of [
      [small, large, last],
      [small, last, large],
      [large, last, small],
    ])
      expect(keptOf(order, 100, 2_000)).toMatchObject({ items: [small], left: 2 });
  });

  it('decides the same when it comes out of a document, and has to add up what it holds', () => {
    fc.assert(
      fc.property(
        items,
        fc.constantFrom(2, 4, 100),
        fc.constantFrom(2_000, 5_000, 20_000),
        fc.infiniteStream(fc.nat(3)),
        (list, max, bytesMax, choices) => {
          const kept = empty();
          const reloaded = empty();
          for (const each of list) {
            keep(kept, each, max, bytesMax);
            reloaded.items = [...reloaded.items];
            keep(reloaded, each, max, bytesMax);
            const out = kept.items[choices.next().value ?? 0];
            if (out === undefined) continue;
            removeSorted(kept.items, out, textOf);
            removeSorted(reloaded.items, out, textOf);
          }
          expect(kept).toEqual(reloaded);
        },
      ),
    );
  });

  it('still knows what fits when one goes out of a list that comes out of a document', () => {
    const first = { time: '1', name: 'a' };
    const items: Item[] = [first];
    removeSorted(items, first, textOf);
    const large = { time: '2', name: 'n'.repeat(500) };
    expect(keepSortedWithin(items, large, bounds(9, 2_000)).left).toBe(1);
    expect(items).toEqual([]);
  });

  it('has room for the quotes and commas of many short paths', () => {
    const item = { time: '1', name: 'a', paths: Array.from({ length: 1_000 }, () => 'p') };
    const kept: Item[] = [];
    keepSortedWithin(kept, item, bounds(9, 4_000));
    expect(JSON.stringify(kept).length).toBeLessThanOrEqual(4_000);
  });

  it('has room for characters that take six bytes as JSON, in names and in paths', () => {
    const costly = (number: number): Item => ({
      time: String(number),
      name: '\u0001'.repeat(500),
      paths: ['\u0001'.repeat(500), 7],
    });
    const numbers = Array.from({ length: 9 }, (_, number) => number);
    const { items: kept } = keptOf(numbers.map(costly), 9, 20_000);
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
      const { items: kept } = keptOf(order, 100, 5_000);
      expect(kept.map(({ time }) => time)).toEqual(['0', '1', '2', '3']);
    }
  });
});
