import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../../core/record/identity/canonical-json.ts';

describe('canonicalJson', () => {
  it('sorts keys at every level', () => {
    expect(canonicalJson({ b: { d: 1, c: [{ f: 1, e: 2 }] }, a: 0 })).toBe(
      '{"a":0,"b":{"c":[{"e":2,"f":1}],"d":1}}',
    );
  });

  it('gives an object in memory the same text as one read from a file', () => {
    const inMemory = {
      cost: { total: -0, input: Number.NaN },
      gone: undefined,
      kept: [undefined, 1],
      said: 'ü\u2028',
    };
    expect(canonicalJson(inMemory)).toBe(canonicalJson(JSON.parse(JSON.stringify(inMemory))));
  });

  it('leaves out what has no JSON', () => {
    const odd = { call: () => 1, sign: Symbol('x'), gone: undefined };
    expect(canonicalJson({ ...odd, kept: 1, list: Object.values(odd) })).toBe(
      '{"kept":1,"list":[null,null,null]}',
    );
    for (const value of Object.values(odd)) expect(canonicalJson(value)).toBe('null');
  });

  it.each([
    ['[', ']'],
    ['{"a":', '}'],
  ])('has 256 levels at most: %s', (begin, end) => {
    const deep = (levels: number) => `${begin.repeat(levels - 1)}[]${end.repeat(levels - 1)}`;
    expect(canonicalJson(JSON.parse(deep(256)))).toBe(deep(256));
    expect(() => canonicalJson(JSON.parse(deep(257)))).toThrow(
      new RangeError('more than 256 levels'),
    );
  });

  it('says the same as JSON, whatever the order of the keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(reordered(value))).toBe(canonicalJson(value));
      }),
    );
  });
});

function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reordered(member)]),
  );
}
