import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLruCache } from '../../../../collector/answers/contexts/lru-cache.ts';

describe('a bounded cache', () => {
  it('gives back what was put in, of the same version only', () => {
    const cache = createLruCache<string>(10);
    cache.set('a', 'v1', 'one', 1);
    expect([
      cache.get('a', 'v1'),
      cache.get('a', 'v2'),
      cache.get('b', 'v1'),
      cache.peek('a'),
    ]).toEqual(['one', null, null, 'one']);
    cache.set('a', 'v2', 'two', 1);
    expect([cache.get('a', 'v1'), cache.get('a', 'v2')]).toEqual([null, 'two']);
  });

  it('drops what was used least recently', () => {
    const cache = createLruCache<number>(2);
    cache.set('a', '', 1, 1);
    cache.set('b', '', 2, 1);
    cache.get('a', '');
    cache.set('c', '', 3, 1);
    expect(['a', 'b', 'c'].map((key) => cache.get(key, ''))).toEqual([1, null, 3]);
  });

  it('never holds more than it may', () => {
    const puts = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(12)), {
      maxLength: 50,
    });
    fc.assert(
      fc.property(puts, (all) => {
        const cache = createLruCache<number>(10);
        for (const [key, weight] of all) {
          cache.set(key, '', weight, weight);
          const held = ['a', 'b', 'c', 'd'].reduce((sum, each) => sum + (cache.peek(each) ?? 0), 0);
          expect(held).toBeLessThanOrEqual(10);
          expect(cache.peek(key)).toBe(weight > 10 ? null : weight);
        }
      }),
    );
  });
});
