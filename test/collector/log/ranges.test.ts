import { describe, expect, it } from 'vitest';
import { createBoundedList } from '../../../collector/log/bounded-list.ts';
import { joinRanges, toRanges } from '../../../collector/log/ranges.ts';

describe('sequence numbers as ranges', () => {
  it.each([
    [[], []],
    [[7], [[7, 7]]],
    [[3, 1, 2], [[1, 3]]],
    [[2, 2, 2], [[2, 2]]],
    [
      [10, 9, 1, 11, 3],
      [
        [1, 1],
        [3, 3],
        [9, 11],
      ],
    ],
  ])('of %j are %j', (numbers, ranges) => expect(toRanges(numbers)).toEqual(ranges));

  it.each<
    [
      what: string,
      ranges: readonly (readonly [number, number])[],
      joined: readonly (readonly [number, number])[],
    ]
  >([
    [
      'neighbours are one',
      [
        [5, 6],
        [1, 4],
      ],
      [[1, 6]],
    ],
    [
      'with one between they are two',
      [
        [6, 7],
        [1, 4],
      ],
      [
        [1, 4],
        [6, 7],
      ],
    ],
    [
      'one within another is gone',
      [
        [1, 10],
        [2, 3],
      ],
      [[1, 10]],
    ],
    [
      'one that goes on is joined',
      [
        [1, 5],
        [3, 8],
      ],
      [[1, 8]],
    ],
  ])('are joined: %s', (_what, ranges, joined) => {
    expect(joinRanges(ranges)).toEqual(joined);
    expect(joinRanges(ranges.toReversed())).toEqual(joined);
  });
});

describe('a read that ends early', () => {
  it('is full with the item that makes it long enough', () => {
    const list = createBoundedList((text: string) => text.length, 5);
    expect(['ab', 'cd', 'e', 'f'].map((text) => list.add(text))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(list.items).toEqual(['ab', 'cd', 'e', 'f']);
  });

  it('has one item, however long', () => {
    const list = createBoundedList((text: string) => text.length, 1);
    expect(list.add('abc')).toBe(false);
    expect(list.items).toEqual(['abc']);
  });
});
