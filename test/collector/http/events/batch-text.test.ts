import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitArray } from '../../../../collector/http/events/batch-text.ts';

/** Strings that look like the gaps between elements, as values and as keys. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('},{', '} , {', '"', '\\', '\\"},{', '[', ']}', '},\n{', '{}', ''),
);
/**
 * Without a backslash: `JSON.parse` of Node 24 (V8 13.6) can take a key that begins with an escape
 * for one of the same length seen before that has a backslash there, as `"` for `\`.
 */
const key = text.filter((characters) => !characters.includes('\\'));
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    tie('array'),
    tie('object'),
  ),
  array: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
}));

describe('the elements of an array, cut out of its text', () => {
  const spaces = [undefined, 1, '\t', '\r\n '];

  it('parse to the elements, whatever they are and however they are written', () => {
    fc.assert(
      fc.property(
        fc.array(json.value, { maxLength: 6 }),
        fc.constantFrom(...spaces),
        (values, space) => {
          const whole = JSON.stringify(values, null, space);
          const parsed = JSON.parse(whole) as unknown[];
          expect(splitArray(whole, parsed).map((element) => JSON.parse(element))).toEqual(parsed);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('parse to the elements when only some gaps have space', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(json.object, fc.constantFrom(',', ' ,', ', ', '\n,\n')), {
          maxLength: 6,
        }),
        (pairs) => {
          const elements = pairs.map(([object]) => JSON.stringify(object));
          const joined = pairs.map(([, gap], index) => (index === 0 ? '' : gap) + elements[index]);
          const whole = `[${joined.join('')}]`;
          expect(splitArray(whole, JSON.parse(whole) as unknown[])).toEqual(elements);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('are none of an empty array', () => {
    expect(splitArray(' [ \n ] ', [])).toEqual([]);
  });
});
