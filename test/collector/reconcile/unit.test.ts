import { describe, expect, it } from 'vitest';
import { claimKeyOf, identityOf, sortedJson, timeText } from '../../../collector/reconcile/unit.ts';
import { aClaim, aUnit } from './support/units.ts';

describe('the identity of a record', () => {
  const usage = { input: 1, output: { text: 2 }, cost: { total: 1 } };
  const identity = identityOf('e1', 1, 'r1', usage, null);

  it.each([
    ['another entry', identityOf('e2', 1, 'r1', usage, null)],
    ['another time', identityOf('e1', 2, 'r1', usage, null)],
    ['another response', identityOf('e1', 1, null, usage, null)],
    ['other usage', identityOf('e1', 1, 'r1', { ...usage, input: 2 }, null)],
    ['other usage further in', identityOf('e1', 1, 'r1', { ...usage, output: { text: 3 } }, null)],
    ['no usage', identityOf('e1', 1, 'r1', null, null)],
    ['a claim', identityOf('e1', 1, 'r1', usage, 'agent:A')],
    ['another claim', identityOf('e1', 1, 'r1', usage, 'agent:B')],
  ])('is another one for %s', (_what, other) => {
    expect(other).toMatch(/^[0-9a-f]{32}$/);
    expect(other).not.toBe(identity);
  });

  it('does not know what it cost: a copy may have lost that', () => {
    expect(identityOf('e1', 1, 'r1', { ...usage, cost: { total: 2 } }, null)).toBe(identity);
    const { cost: _, ...without } = usage;
    expect(identityOf('e1', 1, 'r1', without, null)).toBe(identity);
  });

  it.each(['credits', 'premiumRequests'])('does not know its %s, lost in the same way', (name) => {
    expect(identityOf('e1', 1, 'r1', { ...usage, [name]: 1 }, null)).toBe(identity);
  });

  it('is the same in whatever order the usage has its members', () => {
    expect(identityOf('e1', 1, 'r1', { output: { text: 2 }, input: 1 }, null)).toBe(identity);
  });

  it.each([[null], [undefined], ['text'], [{}]])('takes %j for no usage', (said) => {
    expect(identityOf('e1', 1, 'r1', said, null)).toBe(identityOf('e1', 1, 'r1', {}, null));
  });
});

describe('JSON with sorted keys', () => {
  it.each([
    [{ b: 1, a: [2, { d: 'x', c: null }] }, '{"a":[2,{"c":null,"d":"x"}],"b":1}'],
    [{ b: undefined, a: 1 }, '{"a":1}'],
    [[undefined, 1], '[null,1]'],
    [null, 'null'],
    ['a"b', '"a\\"b"'],
    [[], '[]'],
  ])('of %j is %s', (value, text) => expect(sortedJson(value)).toBe(text));

  it('has 256 levels at most', () => {
    const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(sortedJson(JSON.parse(deep(256)))).toBe(deep(256));
    expect(() => sortedJson(JSON.parse(deep(257)))).toThrow(RangeError);
    const named = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    expect(sortedJson(JSON.parse(named(256)))).toBe(named(256));
    expect(() => sortedJson(JSON.parse(named(257)))).toThrow(RangeError);
  });
});

describe('the key of a claim', () => {
  it.each([
    ['its own', aClaim(), 'agent:A'],
    ["its turn's for a tool's nested work", aUnit({ kind: 'tool', turnEntryId: 't1' }), 'turn:t1'],
    ['none for a tool without an answer above it', aUnit({ kind: 'tool' }), null],
    ['none for spend of another kind', aUnit({ turnEntryId: 't1' }), null],
  ])('is %s', (_what, unit, key) => expect(claimKeyOf(unit)).toBe(key));
});

it.each([
  [0, '1970-01-01T00:00:00.000Z'],
  [Number.NaN, 'no time'],
])('the time %d reads %s', (timeMs, text) => expect(timeText(timeMs)).toBe(text));
