import { type TSchema, Type } from 'typebox';
import { billedNames, billings, notBilled } from '../billings.ts';
import {
  type AnswerOf,
  hiddenNames,
  NanoUsd,
  Next,
  OrNull,
  TextOrNull,
  TokenSum,
} from '../fields.ts';
import { type FlatFigureName, flatFigureNames } from '../figure-names.ts';
import { groupings, type LabelGrouping } from '../groupings.ts';

export const tokenFields = {
  inputTokens: TokenSum('Without cache.'),
  outputTokens: TokenSum(),
  cacheReadTokens: TokenSum(),
  cacheWriteTokens: TokenSum(),
  reasoningTokens: TokenSum('Part of outputTokens.'),
};

const unpricedRecords = Type.Integer({
  description: 'Reported, but without a price: not in the amounts.',
});
const unreportedRecords = Type.Integer({
  description: 'Failed or aborted attempts whose spend is unknown. Not free.',
});

const Billed = Type.Object(
  {
    inputNanoUsd: NanoUsd('For inputTokens, as the host says.'),
    outputNanoUsd: NanoUsd('For outputTokens.'),
    cacheReadNanoUsd: NanoUsd('For cacheReadTokens.'),
    cacheWriteNanoUsd: NanoUsd('For cacheWriteTokens.'),
    otherNanoUsd: NanoUsd(
      'What the host does not split; negative where its parts exceed the amount.',
    ),
    unpricedRecords,
    unreportedRecords,
    lowerBoundRecords: Type.Integer({
      description: 'Whose amount is a lower bound: extensions tell of their last answer only.',
    }),
  },
  { title: 'BilledFigures', description: 'The amount of one kind of billing, by kind of token.' },
);

const flatFields = {
  records: Type.Integer({
    description: 'Every entry with usage once, including unreported ones.',
  }),
  ...tokenFields,
  meteredNanoUsd: NanoUsd('Billed by use.'),
  subscriptionNanoUsd: NanoUsd('List-price equivalent of what a subscription covers, not a bill.'),
  unknownBillingNanoUsd: NanoUsd('Not known whether billed by use or covered by a subscription.'),
  unpricedRecords,
  unreportedRecords,
  unreportedTokensMax: TokenSum(
    'Upper estimate for unreported attempts, where possible. In no other figure.',
  ),
  unreportedNanoUsdMax: NanoUsd('Like unreportedTokensMax.'),
  packageRequests: Type.Integer({
    description:
      'Part of unreportedRecords: answered requests of a session that no entry explains.',
  }),
  streamedAnswers: Type.Integer({
    description:
      "Part of unreportedRecords: answers in hosts' event streams, of sessions of which nothing " +
      'else is known.',
  }),
} satisfies Record<FlatFigureName, TSchema>;

/** Figures of spend. The amounts of the three kinds of billing are never added up. */
export const figureFields = {
  ...flatFields,
  byBilling: Type.Object({ metered: Billed, subscription: Billed, unknown: Billed }),
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
  packageRequests: 0,
  streamedAnswers: 0,
  byBilling: {
    metered: {
      inputNanoUsd: '144630000',
      outputNanoUsd: '140655000',
      cacheReadNanoUsd: '90450000',
      cacheWriteNanoUsd: '82680000',
      otherNanoUsd: '155145000',
      unpricedRecords: 0,
      unreportedRecords: 1,
      lowerBoundRecords: 0,
    },
    subscription: notBilled,
    unknown: notBilled,
  },
};
export const figuresExample = figures;

export const UsageFigures = Type.Object(figureFields, {
  title: 'UsageFigures',
  examples: [figures],
});
export type UsageFigures = AnswerOf<typeof UsageFigures>;

const Cached = Type.Object({
  readsSavedNanoUsd: OrNull(
    NanoUsd('What cacheReadTokens would have cost as input, less what they cost.'),
    'Null: no input of these models has a price.',
  ),
  writesExtraNanoUsd: OrNull(
    NanoUsd('What cacheWriteTokens cost, less what they would have cost as input.'),
  ),
  leftOutTokens: TokenSum('Read and written without a known price: in neither amount.'),
});
const notCached = { readsSavedNanoUsd: '0', writesExtraNanoUsd: '0', leftOutTokens: 0 };

export const CacheFigures = Type.Object(
  { metered: Cached, subscription: Cached, unknown: Cached },
  {
    title: 'CacheFigures',
    description:
      "Estimates: a model's input at the average price that its host gave for it, by billing.",
    examples: [
      {
        metered: {
          readsSavedNanoUsd: '814050000',
          writesExtraNanoUsd: '16536000',
          leftOutTokens: 0,
        },
        subscription: notCached,
        unknown: notCached,
      },
    ],
  },
);
export type CacheFigures = AnswerOf<typeof CacheFigures>;

const billedColumns = billings.flatMap((billing) =>
  billedNames.map((name) => `byBilling.${billing}.${name}`),
);
/** The columns of figures in a CSV. */
export const figureColumns: readonly string[] = [...flatFigureNames, ...billedColumns];

/** The labels of a row are in the fields of its groupings; the others are absent. */
export const labelFields = Object.fromEntries(
  groupings.map((grouping) => [grouping, Type.Optional(TextOrNull)]),
) as Record<(typeof groupings)[number], ReturnType<typeof Type.Optional<typeof TextOrNull>>>;

const cacheField = { cache: Type.Optional(CacheFigures) };

const sessionsField = {
  sessions: Type.Optional(
    Type.Integer({
      description: 'For a tree, and with `sessions=include`: how many sessions are in the row.',
    }),
  ),
};

export const UsageRow = Type.Object(
  {
    ...labelFields,
    ...sessionsField,
    ...figureFields,
    ...cacheField,
    lastDay: Type.Optional(
      Type.String({
        description: 'With `lastDay=include`: the last day that has spend of the row.',
      }),
    ),
  },
  {
    title: 'UsageRow',
    patternProperties: { '^label:': TextOrNull },
    description:
      'Each label has the name of its grouping in `by`; null: unknown. The label of a tree is ' +
      'the id of its root session, that of an hour its beginning in UTC.',
    examples: [{ project: 'shop', ...figures }],
  },
);
export type UsageRow = AnswerOf<typeof UsageRow>;

export const By = Type.Array(
  Type.Union([
    Type.Enum([...groupings]),
    Type.Unsafe<LabelGrouping>(Type.String({ pattern: '^label:' })),
  ]),
  { description: 'As asked.' },
);

/** `GET /v1/usage` */
export const Usage = Type.Object(
  {
    by: By,
    rows: Type.Array(UsageRow, {
      description:
        'Sorted by the first grouping, within it by the next: each by cost, then tokens; hours, ' +
        'days, weeks (`2026-W47`) and months by time.',
    }),
    total: Type.Object({ ...sessionsField, ...figureFields, ...cacheField }),
    leftOutGroups: Type.Optional(
      Type.Integer({
        description:
          'Months, of one kind of billing each, of fewer users than `minimumUsers`: in no row ' +
          'and not in the total.',
      }),
    ),
    toldUntil: Type.Optional(
      Type.String({
        description:
          'For callers who are told of large groups only: the last day that the answer covers. ' +
          'Months that have not ended are left out. Groups that would be too small share rows ' +
          'called `(small groups)`.',
      }),
    ),
    hiddenNames,
    next: Next,
  },
  {
    title: 'Usage',
    description: '`total` covers all rows, not just this page. `cache`: where `by` has `model`.',
    examples: [
      { by: ['project'], rows: [{ project: 'shop', ...figures }], total: figures, next: null },
    ],
  },
);
export type Usage = AnswerOf<typeof Usage>;
