/** Field types shared by several events. Names include the unit: Tokens, Chars, Ms, NanoUsd. */
import { type Static, type TSchema, Type } from 'typebox';
import { labelKeyPattern, labelsMax, labelValueCharsMax } from './settings/labels.ts';

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** A count or an amount that stays exact in a double: 0 to 2^53 - 1. */
export const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** Milliseconds, fractions allowed (omp gives them). */
export const DurationMs = Type.Number({ minimum: 0 });

export const HttpStatus = Type.Integer({ minimum: 100, maximum: 999 });

const ShortText = Type.String({ maxLength: 500 });
export const Name = Type.String({ minLength: 1, maxLength: 500 });
export const OptionalText = Nullable(ShortText);

/** An entry's id in its session file: 8 hex digits in pi and omp, unique within the file only. */
export const EntryId = Type.String({ minLength: 1, maxLength: 100 });

/** Calls by tool name, e.g. `{ "bash": 2 }`. */
export const CountByName = Type.Record(Type.String({ maxLength: 200 }), Count);

/** Labels by key, e.g. `{ "ticket": "ABC-12" }`; null takes a label away. */
export const LabelChange = Type.Record(
  Type.String({ pattern: labelKeyPattern }),
  Nullable(Type.String({ minLength: 1, maxLength: labelValueCharsMax })),
  { additionalProperties: false, minProperties: 1, maxProperties: labelsMax },
);

/**
 * Paths relative to the session's directory; `<outside>/<8 hex of SHA-256>/<base name>` for the
 * rest. At most 1,000.
 */
export const Paths = Type.Array(Type.String({ maxLength: 4096 }), { maxItems: 1000 });

/**
 * Sizes of an entry by kind of content, in UTF-16 code units as the host holds the text (no content
 * is sent). Tool calls count name and arguments (as compact JSON); `otherChars` is all other text
 * of the entry.
 */
export const Sizes = Type.Object({
  textChars: Count,
  thinkingChars: Count,
  toolCallChars: Count,
  otherChars: Count,
  images: Count,
});
export type Sizes = Static<typeof Sizes>;

/** The place of an entry in the session's tree, in every entry event. */
export const entryFields = {
  entryId: EntryId,
  parentEntryId: Nullable(EntryId),
  /** The nearest user entry strictly above: the prompt whose run this entry belongs to. */
  promptEntryId: Nullable(EntryId),
  sizes: Sizes,
};
