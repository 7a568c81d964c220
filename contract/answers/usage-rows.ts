import { Type } from 'typebox';
import type { SpendMeasure } from '../spend-shape.ts';
import { billings } from './billings.ts';
import { type AnswerOf, NanoUsd, Next, TextOrNull } from './fields.ts';
import { type RowDimension, rowDimensions } from './row-dimensions.ts';
import { tokenFields } from './usage/schema.ts';

const dimensionFields = Object.fromEntries(
  rowDimensions.map((name) => [name, Type.Optional(TextOrNull)]),
) as Record<RowDimension, ReturnType<typeof Type.Optional<typeof TextOrNull>>>;

const measureFields = {
  records: Type.Integer(),
  ...tokenFields,
  nanoUsd: NanoUsd('Of the records that have a price.'),
  inputNanoUsd: NanoUsd("The host's own part of nanoUsd."),
  outputNanoUsd: NanoUsd('Like inputNanoUsd.'),
  cacheReadNanoUsd: NanoUsd('Like inputNanoUsd.'),
  cacheWriteNanoUsd: NanoUsd('Like inputNanoUsd.'),
  unpricedRecords: Type.Integer(),
  unreportedRecords: Type.Integer(),
} satisfies Partial<Record<SpendMeasure, unknown>>;
export type FineMeasure = keyof typeof measureFields;
/** In the order of the columns. */
export const fineMeasures = Object.keys(measureFields) as readonly FineMeasure[];

export const rowFields = {
  day: Type.String({ description: "The spender's own day." }),
  billing: Type.Enum(billings, {
    description: 'What the amounts of the row are: never to be added to those of another kind.',
  }),
  ...dimensionFields,
  ...measureFields,
};

const row = {
  day: '2026-05-01',
  billing: 'metered' as const,
  project: 'shop',
  model: 'claude-sonnet-4-5',
  records: 12,
  inputTokens: 48_210,
  outputTokens: 9_377,
  cacheReadTokens: 301_500,
  cacheWriteTokens: 22_048,
  reasoningTokens: 1_204,
  nanoUsd: '613560000',
  inputNanoUsd: '144630000',
  outputNanoUsd: '140655000',
  cacheReadNanoUsd: '90450000',
  cacheWriteNanoUsd: '82680000',
  unpricedRecords: 0,
  unreportedRecords: 1,
};

const UsageFineRow = Type.Object(rowFields, { title: 'UsageFineRow', examples: [row] });
export type UsageFineRow = AnswerOf<typeof UsageFineRow>;

/** `GET /v1/usage/rows` */
export const UsageFineRows = Type.Object(
  { rows: Type.Array(UsageFineRow, { description: 'By day.' }), next: Next },
  { title: 'UsageFineRows', examples: [{ rows: [row], next: null }] },
);
