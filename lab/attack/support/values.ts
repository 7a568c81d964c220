/** Values that fit a schema, and JSON that should fit nothing. */
import fc from 'fast-check';
import type { Described, Schema } from './document.ts';
import { hostileTexts, likelyTexts } from './hostile-text.ts';

const itemsMax = 4;

export const hostileText = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ maxLength: 30 }),
);

/** `name`: of the parameter or field, which may have likely texts. */
export function valueFor(
  given: Schema,
  { resolve }: Pick<Described, 'resolve'>,
  name = '',
): fc.Arbitrary<unknown> {
  const schema = resolve(given);
  const inner = (each: Schema, its = name) => valueFor(each, { resolve }, its);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((each) => inner(each)));
  switch (schema.type) {
    case 'string':
      return textOf(schema, name);
    case 'integer':
    case 'number':
      return fc.integer({ min: schema.minimum ?? -10, max: schema.maximum ?? 1_000_000 });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(inner(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? itemsMax, itemsMax),
      });
    case 'object':
      return objectOf(schema, inner);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objectOf(
  { properties = {}, required = [], additionalProperties, patternProperties = {} }: Schema,
  inner: (schema: Schema, name: string) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, inner(schema, name)]),
  );
  const others = typeof additionalProperties === 'object' ? [additionalProperties] : [];
  const [other] = [...others, ...Object.values(patternProperties)];
  const named = fc.record(fields, { requiredKeys: required.filter((name) => name in fields) });
  if (other === undefined) return named;
  const more = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), inner(other, ''), { maxKeys: 3 });
  return fc.tuple(named, more).map(([own, rest]) => ({ ...rest, ...own }));
}

function textOf({ pattern, minLength = 0, maxLength = 40 }: Schema, name: string) {
  const fitting = new RegExp(pattern ?? '', 'u');
  const likely = (likelyTexts[name] ?? []).filter((text) => fitting.test(text));
  const free =
    pattern === undefined || pattern.includes('\\p{')
      ? fc.string({ minLength, maxLength: Math.min(maxLength, 40) })
      : fc.stringMatching(new RegExp(pattern));
  return likely.length === 0
    ? free
    : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...likely) }, free);
}

const hostileJson: readonly string[] = [
  ...['', 'null', 'true', '0', '"x"', '[]', '{}', '[[]]', '{', '[', '"', '\ufeff{}', '{}{}', 'NaN'],
  ...['1e999', '-0', `${'9'.repeat(5_000)}`, `0.${'0'.repeat(5_000)}1`, '{"a":1e-999}'],
  ...['{"__proto__":{"isAdmin":true}}', '{"constructor":{"prototype":{"x":1}}}'],
  ...['{"scopes":["admin"],"scopes":["read"],"user":"a","user":"b"}', '{"ids":[1],"ids":"all"}'],
  ...['{"ids":[1e309]}', '{"ids":[0.5]}', '{"ids":[9007199254740993]}', '{"before":{"$gt":""}}'],
  ...[
    `${'['.repeat(30_000)}${']'.repeat(30_000)}`,
    `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
  ],
  ...['['.repeat(60_000), `{"${'k'.repeat(50_000)}":1}`, `"${'\\u0000'.repeat(5_000)}"`],
  ...['{"labels":{"__proto__":"x"},"user":"ada"}', '{"labels":{"a":"\\ud800"},"user":"ada"}'],
];

/** Text for a body: what the schema wants, with a field spoilt, or hostile altogether. */
export function bodyText(schema: Schema, described: Described): fc.Arbitrary<string> {
  const fitting = valueFor(schema, described).map((value) => JSON.stringify(value) ?? '');
  const spoilt = fc
    .tuple(fitting, hostileText, fc.nat())
    .map(([text, hostile, at]) => spoil(text, JSON.stringify(hostile), at));
  return fc.oneof(
    { weight: 4, arbitrary: fitting },
    { weight: 3, arbitrary: spoilt },
    { weight: 2, arbitrary: fc.constantFrom(...hostileJson) },
  );
}

/** Puts another value in the place of one of the values. */
function spoil(text: string, value: string, at: number): string {
  const places = [...text.matchAll(/(?<=[:[,])("(?:[^"\\]|\\.)*"|-?\d[\d.e+-]*|null|true|false)/g)];
  const place = places[at % Math.max(1, places.length)];
  if (place === undefined) return value;
  return text.slice(0, place.index) + value + text.slice(place.index + place[0].length);
}
