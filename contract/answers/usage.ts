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

/** Figures of spend. The amounts of the three kinds of billing are never added. */
export const figureFields = {
  records: Type.Integer({
    description: 'Every usage-bearing entry once, unreported ones included.',
  }),
  ...tokenFields,
  meteredNanoUsd: NanoUsd('Billed by use.'),
  subscriptionNanoUsd: NanoUsd(
    'A list-price equivalent of what a subscription covers, not a bill.',
  ),
  unknownBillingNanoUsd: NanoUsd('Not known whether billed by use or covered by a subscription.'),
  unpricedRecords: Type.Integer({
    description: 'Reported, but without a price: not in the amounts.',
  }),
  unreportedRecords: Type.Integer({
    description: 'Failed or aborted attempts whose spend is unknown. Not free.',
  }),
  unreportedTokensMax: TokenSum(
    'An upper estimate for those, as far as one is possible. In no other figure.',
  ),
  unreportedNanoUsdMax: NanoUsd('As unreportedTokensMax.'),
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

/** In the order that CSV has them. */
export const figureNames = Object.keys(figureFields) as readonly (keyof UsageFigures)[];

/** What a row is by stands under its own name; the others are not there. */
export const labelFields = Object.fromEntries(
  groupings.map((grouping) => [grouping, Type.Optional(TextOrNull)]),
) as Record<Grouping, ReturnType<typeof Type.Optional<typeof TextOrNull>>>;

export const UsageRow = Type.Object(
  {
    ...labelFields,
    sessions: Type.Optional(
      Type.Integer({ description: 'Of a tree: how many of its sessions are in the row.' }),
    ),
    ...figureFields,
  },
  {
    title: 'UsageRow',
    description:
      'Its label stands under the name of `by`; null: unknown. A tree has the id of its root session.',
    examples: [{ project: 'shop', ...figures }],
  },
);
export type UsageRow = AnswerOf<typeof UsageRow>;

/** `GET /v1/usage` */
export const Usage = Type.Object(
  {
    by: Type.Enum([...groupings]),
    rows: Type.Array(UsageRow, {
      description: 'Sorted by cost, then tokens; days, weeks (`2026-W47`) and months in time.',
    }),
    total: UsageFigures,
    next: Next,
  },
  {
    title: 'Usage',
    description: '`total` is of all rows, not of this page.',
    examples: [
      { by: 'project', rows: [{ project: 'shop', ...figures }], total: figures, next: null },
    ],
  },
);
export type Usage = AnswerOf<typeof Usage>;
