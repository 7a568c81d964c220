import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareStored } from '../../../collector/views/stored-order.ts';

it('texts are in the order of their bytes, as stores have them', () => {
  const unit = fc.constantFrom('a', 'b', 'ü', '\u{d7ff}', '\u{e000}', '\u{ffff}', '\u{10000}');
  const text = fc.string({ unit, maxLength: 4 });
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(Math.sign(compareStored(one, other))).toBe(
        Buffer.compare(Buffer.from(one), Buffer.from(other)),
      );
    }),
  );
});

it('nothing comes first, and numbers are in order of size', () => {
  expect([10, null, 9, -1].toSorted(compareStored)).toEqual([null, -1, 9, 10]);
  expect(['b', null, ''].toSorted(compareStored)).toEqual([null, '', 'b']);
});
