import { describe, expect, it } from 'vitest';
import {
  asCount,
  asDurationMs,
  asEntryId,
  asInteger,
  asList,
  asObject,
  asString,
  asText,
} from '../../../core/record/fields.ts';

const readers = { asCount, asDurationMs, asEntryId, asInteger, asList, asObject, asString, asText };
const max = Number.MAX_SAFE_INTEGER;
const object = { a: 1 };
const list = [1];

/** Values that each reader accepts; it must reject all the others'. */
const taken: Record<keyof typeof readers, readonly (readonly [unknown, unknown])[]> = {
  asObject: [[object, object]],
  asList: [[list, list]],
  asString: [
    ['', ''],
    ['x', 'x'],
    ['x'.repeat(501), 'x'.repeat(501)],
  ],
  asText: [
    ['x', 'x'],
    ['x'.repeat(500), 'x'.repeat(500)],
    [`${'x'.repeat(500)}y`, 'x'.repeat(500)],
  ],
  asEntryId: [
    ['x', 'x'],
    ['x'.repeat(100), 'x'.repeat(100)],
  ],
  asCount: [
    [0, 0],
    [0.4, 0],
    [0.5, 1],
    [max, max],
    [max + 1, max],
    [1e300, max],
  ],
  asDurationMs: [
    [0, 0],
    [0.25, 0.25],
    [1e300, 1e300],
  ],
  asInteger: [
    [0, 0],
    [529, 529],
    [-1, -1],
    [2 ** 31 - 1, 2 ** 31 - 1],
    [-(2 ** 31), -(2 ** 31)],
  ],
};

/** Invalid values of each reader's own kind. */
const refused: Record<keyof typeof readers, readonly unknown[]> = {
  asObject: [list, null],
  asList: [object],
  asString: [7],
  asText: ['', 7],
  asEntryId: ['', 'x'.repeat(101), 7],
  asCount: [-1, -0.1, Number.NaN, Number.POSITIVE_INFINITY, '7', 7n],
  asDurationMs: [-1, Number.NaN, Number.POSITIVE_INFINITY, '7'],
  asInteger: [0.5, 2 ** 31, -(2 ** 31) - 1, Number.NaN, '7'],
};

describe.each(Object.keys(readers) as (keyof typeof readers)[])('%s', (name) => {
  const read: (value: unknown) => unknown = readers[name];

  it.each(taken[name])('of %j is %j', (value, expected) => {
    expect(read(value)).toBe(expected);
  });

  it.each([...refused[name], undefined, null, true, Symbol('x'), () => 1])(
    'takes nothing else, as %s',
    (value) => {
      expect(read(value)).toEqual(name === 'asList' ? [] : null);
    },
  );
});

it('asInteger knows no zero below zero, which JSON has none of', () => {
  expect(asInteger(-0)).toBe(0);
});
