/** Ids are stored in every ledger: however they are computed, they must not change. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventTypes } from '../../../../contract/index.ts';
import { parseTimeMs } from '../../../../core/record/entry.ts';
import { canonicalJson, createKeyOrder } from '../../../../core/record/identity/canonical-json.ts';
import { entryEventId } from '../../../../core/record/identity/event-id.ts';
import { plainCanonicalJson, plainEntryEventId } from '../support/plain-ids.ts';

/** Integer-like keys come first in every object; `__proto__` is an ordinary key in a file. */
const oddKeys = [
  '__proto__',
  'constructor',
  'undefined',
  '10',
  '9',
  '-1',
  '01',
  '4294967295',
  '',
  'é',
  'e\u0301',
  '\ud800',
  '\u{1f600}',
  '"',
  '\\',
  '\u2028',
];
const usageKeys = [
  'input',
  'output',
  'cacheRead',
  'cacheWrite',
  'totalTokens',
  'cost',
  'total',
  'ephemeral1h',
];
const key = fc.oneof(
  fc.constantFrom(...oddKeys),
  fc.constantFrom(...usageKeys),
  fc.string({ unit: 'binary' }),
  fc.nat().map(String),
);
const oddNumbers = [
  -0,
  0,
  1e21,
  1e-7,
  123456789012345680000,
  5e-324,
  Number.MAX_VALUE,
  Number.NaN,
  Number.NEGATIVE_INFINITY,
  0.1 + 0.2,
];
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\ud800', '\udc00x', '\u2028', '\u007f', '\u0000', 'a\n', 'a/b', 'claude-opus'),
);
const scalar = fc.oneof(
  fc.constantFrom(...oddNumbers),
  fc.double(),
  fc.integer(),
  text,
  fc.boolean(),
  fc.constant(null),
  fc.constant(undefined),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 4 }, scalar, fc.array(tie('any'), { maxLength: 5 }), tie('object')),
  object: fc
    .array(fc.tuple(key, tie('any')), { maxLength: 40 })
    .map((members) => objectOf(members)),
}));

/** With `__proto__` as an own member, as from JSON.parse. */
function objectOf(members: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const [name, member] of members)
    Object.defineProperty(object, name, {
      value: member,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return object;
}

describe('canonicalJson', () => {
  it('matches the plain definition, for any value', () => {
    fc.assert(
      fc.property(value.any, (any) => {
        expect(canonicalJson(any)).toBe(plainCanonicalJson(any));
      }),
      { numRuns: 1_000 },
    );
  });

  it('tells objects with the same keys in another order, or with one key less, apart', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(key, { minLength: 1, maxLength: 12 }),
        fc.infiniteStream(scalar),
        fc.nat(),
        (keys, values, seed) => {
          const members = keys.map((name) => [name, values.next().value] as const);
          const turned = [
            ...members.slice(seed % keys.length),
            ...members.slice(0, seed % keys.length),
          ];
          for (const some of [
            members,
            turned,
            members.toReversed(),
            members.slice(1),
            members.slice(0, -1),
            members,
          ]) {
            const object = objectOf(some);
            expect(canonicalJson(object)).toBe(plainCanonicalJson(object));
          }
        },
      ),
    );
  });

  it('is right about more shapes than it remembers, long keys and large objects among them', () => {
    const shapes = Array.from({ length: 60 }, (_, index) =>
      objectOf(
        Array.from({ length: index }, (_, member) => [
          `${member % 3 === 0 ? 'k'.repeat(index * 2) : 'm'}${(member * 7) % index}`,
          member,
        ]),
      ),
    );
    for (const object of [...shapes, ...shapes, ...shapes.toReversed()])
      expect(canonicalJson(object)).toBe(plainCanonicalJson(object));
  });
});

describe('createKeyOrder', () => {
  it('remembers a shape that comes again, and writes its keys once', () => {
    const written: string[] = [];
    const orderOf = createKeyOrder((name) => {
      written.push(name);
      return `${name}:`;
    });
    for (let round = 0; round < 3; round += 1)
      expect(orderOf(['b', 'a'])).toMatchObject({ sorted: ['a', 'b'], written: ['a:', 'b:'] });
    expect(written).toEqual(['a', 'b']);
  });

  it.each([
    [
      'one after sixteen others',
      Array.from({ length: 16 }, (_, index) => [`other${index}`]),
      ['a'],
    ],
    ['one with more than 32 keys', [], Array.from({ length: 33 }, (_, index) => `k${index}`)],
    ['one with a key of more than 64 characters', [], ['a'.repeat(65)]],
  ])('forgets %s', (_what, others, keys) => {
    let calls = 0;
    const orderOf = createKeyOrder((name) => {
      calls += name === keys[0] ? 1 : 0;
      return name;
    });
    for (const asked of [keys, ...others, keys]) orderOf(asked);
    expect(calls).toBe(2);
  });

  it.each([
    ['the sixteenth', Array.from({ length: 15 }, (_, index) => [`other${index}`]), ['a']],
    ['one with 32 keys', [], Array.from({ length: 32 }, (_, index) => `k${index}`)],
    ['one with a key of 64 characters', [], ['a'.repeat(64)]],
  ])('still knows %s', (_what, others, keys) => {
    let calls = 0;
    const orderOf = createKeyOrder((name) => {
      calls += name === keys[0] ? 1 : 0;
      return name;
    });
    for (const asked of [keys, ...others, keys]) orderOf(asked);
    expect(calls).toBe(1);
  });
});

describe('entryEventId', () => {
  it('matches the plain definition, for any entry', () => {
    const type = fc.constantFrom(...eventTypes.map((each) => each.type));
    const timeMs = fc.oneof(
      fc.constantFrom(0, 1, 65_535, 65_536, 253_402_300_799_999),
      fc.integer({ min: 0, max: 253_402_300_799_999 }),
    );
    const responseId = fc.oneof(fc.constant(null), text);
    fc.assert(
      fc.property(
        fc.record({ type, id: text, timestamp: text, timeMs, responseId, usage: value.any }),
        (said) => {
          const { id, timestamp, usage } = said;
          expect(
            entryEventId(
              said.type,
              { id, timestamp, timeMs: said.timeMs },
              { responseId: said.responseId, usage },
            ),
          ).toBe(plainEntryEventId(said));
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('timeMsOf', () => {
  it('is the time of the text that it is asked for, whatever it was asked before', () => {
    const dates = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
    const edges = [
      '10000-01-01',
      '1969-12-31T23:59:59.999Z',
      '1970-01-01T00:00:00.000Z',
      '9999-12-31T23:59:59.999Z',
      '+010000-01-01T00:00:00.000Z',
    ];
    const texts = fc.array(
      fc.oneof(dates, fc.constantFrom('', '0', 'soon', '2026-02-30T00:00:00.000Z', ...edges)),
    );
    fc.assert(
      fc.property(texts, (asked) => {
        for (const timestamp of asked.flatMap((each) => [each, each])) {
          const ms = Date.parse(timestamp);
          expect(parseTimeMs(timestamp)).toBe(
            ms >= 0 && ms <= Date.UTC(9999, 11, 31, 23, 59, 59, 999) ? ms : null,
          );
        }
      }),
    );
  });
});
