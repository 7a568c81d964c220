import { Type } from 'typebox';
import { billings } from './billings.ts';
import { type AnswerOf, NanoUsd } from './fields.ts';
import { By, labelFields, tokenFields } from './usage/schema.ts';

const figureFields = {
  billing: Type.Enum(billings),
  records: Type.Integer(),
  ...tokenFields,
  recordedNanoUsd: NanoUsd('As recorded.'),
  unpricedRecords: Type.Integer({ description: 'Recorded without a price.' }),
  unreportedRecords: Type.Integer({
    description: 'Failed or aborted attempts whose tokens are unknown: in no amount.',
  }),
  repricedNanoUsd: NanoUsd('By the catalogue.'),
  repricedRecords: Type.Integer(),
  leftOutRecords: Type.Integer({
    description: 'Without a price in the catalogue: not in repricedNanoUsd.',
  }),
  comparedRecords: Type.Integer({ description: 'With both prices.' }),
  differenceNanoUsd: NanoUsd('Repriced minus recorded, over comparedRecords.'),
};

const figures = {
  billing: 'metered',
  records: 12,
  inputTokens: 48_210,
  outputTokens: 9_377,
  cacheReadTokens: 301_500,
  cacheWriteTokens: 22_048,
  reasoningTokens: 1_204,
  recordedNanoUsd: '613560000',
  unpricedRecords: 0,
  unreportedRecords: 1,
  repricedNanoUsd: '204520000',
  repricedRecords: 11,
  leftOutRecords: 0,
  comparedRecords: 11,
  differenceNanoUsd: '-409040000',
};

const Figures = Type.Object(figureFields, { title: 'RepricedFigures', examples: [figures] });
export type RepricedFigures = AnswerOf<typeof Figures>;

const Row = Type.Object(
  { ...labelFields, ...figureFields },
  {
    title: 'RepricedRow',
    description: 'Each label has the name of its grouping in `by`; null: unknown.',
    examples: [{ project: 'shop', ...figures }],
  },
);

const Missing = Type.Object(
  {
    provider: Type.String(),
    model: Type.String(),
    records: Type.Integer(),
    reason: Type.Enum(
      ['not_in_catalogue', 'no_price', 'zero_price', 'unknown_tier', 'part_missing'],
      {
        description: '`part_missing`: no price for a part of these records, such as cache reads.',
      },
    ),
  },
  {
    title: 'MissingPrice',
    description: 'A model without a price in the catalogue for some or all of its records.',
  },
);
export type MissingPrice = AnswerOf<typeof Missing>;

/** `POST /v1/reprice` */
export const Repriced = Type.Object(
  {
    by: By,
    rows: Type.Array(Row, { description: 'One for each label and kind of billing.' }),
    totals: Type.Array(Figures, { description: 'One for each kind of billing.' }),
    missing: Type.Array(Missing),
    rowsLeftOut: Type.Integer({ description: 'Rows beyond `limit`.' }),
    sealedRecords: Type.Integer({
      description: 'From a time whose events were deleted: in the report, but in no figure here.',
    }),
  },
  {
    title: 'Repriced',
    examples: [
      {
        by: ['project'],
        rows: [{ project: 'shop', ...figures }],
        totals: [figures],
        missing: [{ provider: 'local', model: 'mock', records: 2, reason: 'not_in_catalogue' }],
        rowsLeftOut: 0,
        sealedRecords: 0,
      },
    ],
  },
);
export type Repriced = AnswerOf<typeof Repriced>;
