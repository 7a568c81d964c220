import { Type } from 'typebox';
import { billings } from '../billings.ts';
import { type AnswerOf, CountOrNull, NanoUsd, Next, OrNull, TextOrNull } from '../fields.ts';

export const compactionFields = {
  id: Type.String({ description: "The event's id: `/v1/compactions/{id}` has the details." }),
  kind: Type.Enum(['compaction', 'branchSummary', 'failure']),
  entryId: OrNull(Type.String(), 'In the session file; a failed compaction has no entry.'),
  session: Type.String(),
  project: TextOrNull,
  user: TextOrNull,
  machine: TextOrNull,
  host: TextOrNull,
  time: Type.String(),
  day: Type.String({ description: "On the spender's calendar, or in `timezone`." }),
  trigger: OrNull(
    Type.String(),
    'manual, threshold, overflow, ...; null: not recorded by a live host.',
  ),
  by: OrNull(Type.Enum(['host', 'extension']), 'Who made the summary.'),
  method: OrNull(Type.String(), "omp's: soft, shake, ..."),
  provider: TextOrNull,
  model: OrNull(Type.String(), 'The model that made the summary; unknown for an extension.'),
  tokensBefore: CountOrNull,
  tokensAfterEstimated: OrNull(Type.Integer(), "The host's estimate."),
  tokensAfterMeasured: OrNull(Type.Integer(), 'Tokens sent for the first answer after it.'),
  savedTokens: CountOrNull,
  costNanoUsd: OrNull(
    NanoUsd(),
    'Cost of the summary call; null: not reported, or at an unknown price (`costSource`). ' +
      'Not free.',
  ),
  costSource: OrNull(Type.Enum(['host', 'unreported'])),
  billing: OrNull(Type.Enum(billings), 'Of the summary call; null: a failed compaction.'),
  durationMs: OrNull(Type.Number()),
  aborted: OrNull(Type.Boolean(), 'For a failed compaction.'),
  willRetry: OrNull(Type.Boolean()),
  instructionsChars: OrNull(
    Type.Integer(),
    "Length of the user's instructions for the summary; 0: none.",
  ),
  summaryTokens: CountOrNull,
  droppedMessages: CountOrNull,
  droppedTokens: OrNull(Type.Integer(), 'Estimated, like keptTokens.'),
  keptMessages: CountOrNull,
  keptTokens: CountOrNull,
  filesReadCount: OrNull(Type.Integer(), 'Files that the summary lists.'),
  filesModifiedCount: CountOrNull,
  cacheMissTokens: OrNull(Type.Integer(), 'Cache miss of the first answer after it; 0: none.'),
  cacheMissNanoUsd: OrNull(
    NanoUsd(),
    'Extra cost compared with reading from the cache; null: no answer yet, or no price.',
  ),
  regretReads: OrNull(Type.Integer(), 'Files read before, and again within the next 10 turns.'),
  regretTokens: CountOrNull,
  turnsAfter: OrNull(Type.Integer(), 'Answers until the next compaction, or so far.'),
  netNanoUsd: OrNull(NanoUsd(), 'Savings minus known costs; null: unknown.'),
  netIsUpperBound: OrNull(
    Type.Boolean(),
    'true: a cost in it is unknown, so the net is at most this; null: without a net.',
  ),
};

/** The columns of the CSV, in order. */
export const compactionColumns: readonly string[] = Object.keys(compactionFields);

export const compactionExample = {
  id: '7c1f0f3e-55a0-8e3b-9d0f-0c3a3c0b6a11',
  kind: 'compaction',
  entryId: 'a81c03f2',
  session: '019a0040-0000-7000-8000-000000000040',
  project: 'shop',
  user: 'ada',
  machine: 'laptop',
  host: 'pi',
  time: '2026-05-01T09:31:00.000Z',
  day: '2026-05-01',
  trigger: 'threshold',
  by: 'host',
  method: null,
  provider: 'anthropic',
  model: 'claude-sonnet-4-5',
  tokensBefore: 168_200,
  tokensAfterEstimated: 21_000,
  tokensAfterMeasured: 20_480,
  savedTokens: 147_720,
  costNanoUsd: '62100000',
  costSource: 'host',
  billing: 'metered',
  durationMs: 18_200,
  aborted: null,
  willRetry: null,
  instructionsChars: 0,
  summaryTokens: 1_900,
  droppedMessages: 84,
  droppedTokens: 149_000,
  keptMessages: 6,
  keptTokens: 18_600,
  filesReadCount: 9,
  filesModifiedCount: 3,
  cacheMissTokens: 20_480,
  cacheMissNanoUsd: '70656000',
  regretReads: 1,
  regretTokens: 2_300,
  turnsAfter: 14,
  netNanoUsd: '487660000',
  netIsUpperBound: false,
} as const;

export const Compaction = Type.Object(compactionFields, {
  title: 'Compaction',
  examples: [compactionExample],
});
export type Compaction = AnswerOf<typeof Compaction>;

const billedExample = {
  costNanoUsd: '62100000',
  summaries: 1,
  unreportedCosts: 0,
  cacheMissNanoUsd: '70656000',
  unknownCacheMisses: 0,
  netNanoUsd: '487660000',
  nets: 1,
  upperBoundNets: 0,
  unknownNets: 0,
};

/** Amounts of summaries with one kind of billing; those of several are never added up. */
const BilledTotals = Type.Object(
  {
    costNanoUsd: NanoUsd('Reported cost of the summary calls.'),
    summaries: Type.Integer({ description: 'Compactions and branch summaries.' }),
    unreportedCosts: Type.Integer({
      description: 'Of them with unknown cost: not reported, or without a price. Not free.',
    }),
    cacheMissNanoUsd: NanoUsd('Cache misses of the first answers after them.'),
    unknownCacheMisses: Type.Integer({
      description: 'First answers with a cache miss that has no price: not in the sum.',
    }),
    netNanoUsd: NanoUsd('Where known.'),
    nets: Type.Integer({ description: 'Compactions with a known net.' }),
    upperBoundNets: Type.Integer({
      description: 'Of them with an unknown cost, so that the sum is at most `netNanoUsd`.',
    }),
    unknownNets: Type.Integer({ description: 'Compactions with unknown net.' }),
  },
  {
    title: 'CompactionTotalsOfBilling',
    examples: [billedExample],
  },
);
export type CompactionTotalsOfBilling = AnswerOf<typeof BilledTotals>;

const totalFields = {
  compactions: Type.Integer({
    description: 'Without failed ones and branch summaries.',
  }),
  branchSummaries: Type.Integer(),
  failures: Type.Integer(),
  byBilling: Type.Object({
    metered: BilledTotals,
    subscription: BilledTotals,
    unknown: BilledTotals,
  }),
  savedTokens: Type.Integer({
    description: 'By compactions: tokens before minus measured tokens after, without estimates.',
  }),
  regretReads: Type.Integer(),
  regretTokens: Type.Integer(),
  regrettedCompactions: Type.Integer({
    description: 'Compactions after which at least one file was read again.',
  }),
  regretRate: OrNull(Type.Number(), 'Share of all compactions, 0 to 1; null: there are none.'),
};

const none = {
  costNanoUsd: '0',
  summaries: 0,
  unreportedCosts: 0,
  cacheMissNanoUsd: '0',
  unknownCacheMisses: 0,
  netNanoUsd: '0',
  nets: 0,
  upperBoundNets: 0,
  unknownNets: 0,
};

const totals = {
  compactions: 1,
  branchSummaries: 0,
  failures: 0,
  byBilling: {
    metered: billedExample,
    subscription: none,
    unknown: none,
  },
  savedTokens: 147_720,
  regretReads: 1,
  regretTokens: 2_300,
  regrettedCompactions: 1,
  regretRate: 1,
};
export const totalsExample = totals;

export const CompactionTotals = Type.Object(totalFields, {
  title: 'CompactionTotals',
  examples: [totals],
});
export type CompactionTotals = AnswerOf<typeof CompactionTotals>;

/** `GET /v1/compactions` */
export const CompactionList = Type.Object(
  {
    rows: Type.Array(Compaction),
    total: CompactionTotals,
    byProject: Type.Array(Type.Object({ project: TextOrNull, ...totalFields })),
    byModel: Type.Array(Type.Object({ model: TextOrNull, ...totalFields })),
    next: Next,
  },
  {
    title: 'CompactionList',
    description: 'Totals cover all rows, not just this page.',
    examples: [
      {
        rows: [compactionExample],
        total: totals,
        byProject: [{ project: 'shop', ...totals }],
        byModel: [{ model: 'claude-sonnet-4-5', ...totals }],
        next: null,
      },
    ],
  },
);
export type CompactionList = AnswerOf<typeof CompactionList>;
