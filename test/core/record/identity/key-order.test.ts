import { describe, expect, it } from 'vitest';
import { createKeyOrder } from '../../../../core/record/identity/canonical-json.ts';

const quoted = (key: string) => `"${key}":`;
const shapes = (count: number) => Array.from({ length: count }, (_, index) => [`key${index}`]);

describe('the order of keys', () => {
  it('is that of their UTF-16 code units, with what is written for each', () => {
    const orderOf = createKeyOrder(quoted);
    expect(orderOf(['b', 'a', 'B', 'é'])).toMatchObject({
      sorted: ['B', 'a', 'b', 'é'],
      written: ['"B":', '"a":', '"b":', '"é":'],
    });
    expect(orderOf([])).toMatchObject({ sorted: [], written: [] });
  });

  it('never mixes up lists that share some keys, or have the same in another order', () => {
    const orderOf = createKeyOrder(quoted);
    const lists = [['a'], ['a', 'b'], ['b', 'a'], ['a', 'c'], ['c', 'b'], ['a', 'b', 'c'], []];
    for (const list of [...lists, ...lists]) expect(orderOf(list).sorted).toEqual([...list].sort());
  });
});

describe('the memory of orders', () => {
  it('knows a list of keys that it has seen, and not one in another order', () => {
    const orderOf = createKeyOrder(quoted);
    expect(orderOf(['b', 'a'])).toBe(orderOf(['b', 'a']));
    expect(orderOf(['a', 'b'])).not.toBe(orderOf(['b', 'a']));
  });

  it('has room for 16 lists, and then forgets the one that came first', () => {
    const orderOf = createKeyOrder(quoted);
    const [first, second, ...others] = shapes(16).map((keys) => orderOf(keys));
    expect(shapes(16).map((keys) => orderOf(keys))).toEqual([first, second, ...others]);
    expect(orderOf(['key0'])).toBe(first);
    orderOf(['one more']);
    expect(orderOf(['key1'])).toBe(second);
    expect(orderOf(['key0'])).not.toBe(first);
    // It came back in place of the second.
    expect(orderOf(['key1'])).not.toBe(second);
    expect(orderOf(['key15'])).toBe(others.at(-1));
  });

  it.each([
    ['32 keys', 32, 'k', true],
    ['33 keys', 33, 'k', false],
    ['a key of 64 characters', 1, 'k'.repeat(63), true],
    ['a key of 65 characters', 1, 'k'.repeat(64), false],
  ])('keeps a list with %s: %#', (_what, count, start, isKept) => {
    const orderOf = createKeyOrder(quoted);
    const keys = Array.from({ length: count }, (_, index) => start + index.toString(36));
    const first = orderOf(keys);
    expect(orderOf(keys) === first).toBe(isKept);
  });

  it('keeps no list with one long key among short ones', () => {
    const orderOf = createKeyOrder(quoted);
    const keys = ['a', 'k'.repeat(65), 'b'];
    expect(orderOf(keys)).not.toBe(orderOf(keys));
  });
});
