/**
 * What answers are made of. Units stand in the names: Tokens, Chars, Ms, NanoUsd. A moment is an
 * instant in ISO 8601, UTC.
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

/** Money is text: a double holds no more than 9 million dollars exactly. */
export const NanoUsd = (description = '') =>
  Type.String({
    pattern: '^-?\\d+$',
    description: `${description} 10^-9 USD, a decimal string.`.trim(),
  });

/** A sum of tokens. A single answer stays far below 2^53, a sum of many need not. */
export const TokenSum = (description = '') =>
  Type.Union([Type.Integer(), Type.String({ pattern: '^\\d+$' })], {
    description: `${description} Above 2^53 - 1 a decimal string.`.trim(),
  });

/** `{rows, next}`: what every list answers. */
export const Next = Type.Union([Type.String(), Type.Null()], {
  description: 'The cursor of the next page; null on the last one.',
});
