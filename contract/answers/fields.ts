/**
 * Field types of answers. Names include the unit: Tokens, Chars, Ms, NanoUsd. Times are ISO 8601 in
 * UTC.
 *
 * A schema with a `title` is a component of the OpenAPI document under that name.
 */
import { type Static, type TSchema, Type } from 'typebox';

type DeepReadonly<Value> = Value extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
    : Value;

/** The type of an answer. */
export type AnswerOf<Schema extends TSchema> = DeepReadonly<Static<Schema>>;

export const OrNull = <Schema extends TSchema>(schema: Schema, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

export const TextOrNull = OrNull(Type.String());
export const CountOrNull = OrNull(Type.Integer());

/** Money is text: a double holds at most 9 million dollars exactly. */
export const NanoUsd = (description = '') =>
  Type.String({
    pattern: '^-?\\d+$',
    description: `${description} 10^-9 USD, a decimal string.`.trim(),
  });

/** A sum of tokens. A single answer stays far below 2^53, a sum of many may not. */
export const TokenSum = (description = '') =>
  Type.Union([Type.Integer(), Type.String({ pattern: '^\\d+$' })], {
    description: `${description} Above 2^53 - 1 a decimal string.`.trim(),
  });

/** `{rows, next}`: the form of every list. */
export const Next = Type.Union([Type.String(), Type.Null()], {
  description: 'The cursor of the next page; null on the last one.',
});

/** In answers whose rows have names that senders choose. */
export const hiddenNames = Type.Optional(
  Type.Integer({
    description:
      'Names that have no row of their own: of a user who has very many, only those with the ' +
      'largest sums have one. What they come to is in the row `(other)`.',
  }),
);

/** The columns of a row's CSV, by an example: fields of fields are `durationP50.ms`. */
export function columnsOf(example: object): readonly string[] {
  return Object.entries(example).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? columnsOf(value).map((inner) => `${name}.${inner}`)
      : [name],
  );
}
