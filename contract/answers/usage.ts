import { Type } from 'typebox';
import { type AnswerOf, NanoUsd, Next, TextOrNull, TokenSum } from './fields.ts';
import { type Grouping, groupings } from './groupings.ts';

export const tokenFields = {
  inputTokens: TokenSum('Without cache.'),
  outputTokens: TokenSum(),
  cacheReadTokens: TokenSum(),
  cacheWriteTokens: TokenSum(),
  reasoningTokens: TokenSum('Part of outputTokens.'),
};

/** Figures of spend. The amounts of the three kinds of billing are never added up. */
export const figureFields = {
  records: Type.Integer({
    description: 'Every entry with usage once, including unreported ones.',
  }),
  ...tokenFields,
  meteredNanoUsd: NanoUsd('Billed by use.'),
  subscriptionNanoUsd: NanoUsd('List-price equivalent of what a subscription covers, not a bill.'),
  unknownBillingNanoUsd: NanoUsd('Not known whether billed by use or covered by a subscription.'),
  unpricedRecords: Type.Integer({
    description: 'Reported, but without a price: not in the amounts.',
  }),
  unreportedRecords: Type.Integer({
    description: 'Failed or aborted attempts whose spend is unknown. Not free.',
  }),
  unreportedTokensMax: TokenSum(
    'Upper estimate for unreported attempts, where possible. In no other figure.',
  ),
  unreportedNanoUsdMax: NanoUsd('Like unreportedTokensMax.'),
};

const figures = {
  records: 12,
  inputTokens: 48_210,
  outputTokens: 9_377,
  cacheReadTokens: 301_500,
  cacheWriteTokens: 22_048,
  reasoningTokens: 1_204,
  meteredNanoUsd: '613560000',
  subscriptionNanoUsd: '0',
  unknownBillingNanoUsd: '0',
  unpricedRecords: 0,
  unreportedRecords: 1,
  unreportedTokensMax: 18_400,
  unreportedNanoUsdMax: '55200000',
};
export const figuresExample = figures;

export const UsageFigures = Type.Object(figureFields, {
  title: 'UsageFigures',
  examples: [figures],
});
export type UsageFigures = AnswerOf<typeof UsageFigures>;

/** In the order of the CSV columns. */
export const figureNames = Object.keys(figureFields) as readonly (keyof UsageFigures)[];

/** The label of a row is in the field of its grouping; the others are absent. */
export const labelFields = Object.fromEntries(
  groupings.map((grouping) => [grouping, Type.Optional(TextOrNull)]),
) as Record<Grouping, ReturnType<typeof Type.Optional<typeof TextOrNull>>>;

export const UsageRow = Type.Object(
  {
    ...labelFields,
    sessions: Type.Optional(
      Type.Integer({ description: 'For a tree: how many of its sessions are in the row.' }),
    ),
    ...figureFields,
  },
  {
    title: 'UsageRow',
    description:
      'The label has the name of `by`; null: unknown. ' +
      'The label of a tree is the id of its root session.',
    examples: [{ project: 'shop', ...figures }],
  },
);
export type UsageRow = AnswerOf<typeof UsageRow>;

/** `GET /v1/usage` */
export const Usage = Type.Object(
  {
    by: Type.Enum([...groupings]),
    rows: Type.Array(UsageRow, {
      description: 'Sorted by cost, then tokens; days, weeks (`2026-W47`) and months by time.',
    }),
    total: UsageFigures,
    leftOutGroups: Type.Optional(
      Type.Integer({
        description:
          'Sums of fewer users than `minimumUsers`, or hiding such ones: in no row and not in ' +
          'the total.',
      }),
    ),
    next: Next,
  },
  {
    title: 'Usage',
    description: '`total` covers all rows, not just this page.',
    examples: [
      { by: 'project', rows: [{ project: 'shop', ...figures }], total: figures, next: null },
    ],
  },
);
export type Usage = AnswerOf<typeof Usage>;
