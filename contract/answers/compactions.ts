import { Type } from 'typebox';
import { type AnswerOf, CountOrNull, NanoUsd, Next, OrNull, TextOrNull } from './fields.ts';

const compactionFields = {
  id: Type.String({ description: "The event's id: `/v1/compactions/{id}` has the details." }),
  kind: Type.Enum(['compaction', 'branchSummary', 'failure']),
  entryId: OrNull(Type.String(), 'In the session file; a failed compaction has no entry.'),
  session: Type.String(),
  project: TextOrNull,
  user: TextOrNull,
  machine: TextOrNull,
  host: TextOrNull,
  time: Type.String(),
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
  netNanoUsd: OrNull(NanoUsd(), 'Savings minus costs; null: unknown.'),
};

/** The columns of the CSV, in order. */
export const compactionColumns: readonly string[] = Object.keys(compactionFields);

const compaction = {
  id: '7c1f0f3e-55a0-8e3b-9d0f-0c3a3c0b6a11',
  kind: 'compaction',
  entryId: 'a81c03f2',
  session: '019a0040-0000-7000-8000-000000000040',
  project: 'shop',
  user: 'ada',
  machine: 'laptop',
  host: 'pi',
  time: '2026-05-01T09:31:00.000Z',
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
};

export const Compaction = Type.Object(compactionFields, {
  title: 'Compaction',
  examples: [compaction],
});
export type Compaction = AnswerOf<typeof Compaction>;

const totalFields = {
  compactions: Type.Integer({
    description: 'Without failed ones and branch summaries.',
  }),
  branchSummaries: Type.Integer(),
  failures: Type.Integer(),
  costNanoUsd: NanoUsd('Reported cost of the summary calls.'),
  unreportedCosts: Type.Integer({
    description:
      'Compactions and branch summaries with unknown cost: not reported, or without a price. ' +
      'Not free.',
  }),
  savedTokens: Type.Integer({
    description: 'By compactions: tokens before minus measured tokens after, without estimates.',
  }),
  cacheMissNanoUsd: NanoUsd('Cache misses of the first answers after them.'),
  regretReads: Type.Integer(),
  regretTokens: Type.Integer(),
  regrettedCompactions: Type.Integer({
    description: 'Compactions after which at least one file was read again.',
  }),
  regretRate: OrNull(Type.Number(), 'Share of all compactions, 0 to 1; null: there are none.'),
  netNanoUsd: NanoUsd('Where known.'),
  unknownNets: Type.Integer({ description: 'Compactions with unknown net.' }),
};

const totals = {
  compactions: 1,
  branchSummaries: 0,
  failures: 0,
  costNanoUsd: '62100000',
  unreportedCosts: 0,
  savedTokens: 147_720,
  cacheMissNanoUsd: '70656000',
  regretReads: 1,
  regretTokens: 2_300,
  regrettedCompactions: 1,
  regretRate: 1,
  netNanoUsd: '487660000',
  unknownNets: 0,
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
        rows: [compaction],
        total: totals,
        byProject: [{ project: 'shop', ...totals }],
        byModel: [{ model: 'claude-sonnet-4-5', ...totals }],
        next: null,
      },
    ],
  },
);
export type CompactionList = AnswerOf<typeof CompactionList>;

export const ContextPart = Type.Object(
  { kind: Type.String(), name: Type.String(), tokens: Type.Integer() },
  { title: 'ContextPart', examples: [{ kind: 'toolResult', name: 'read', tokens: 40_200 }] },
);
export type ContextPart = AnswerOf<typeof ContextPart>;

const Share = Type.Object(
  { messages: Type.Integer(), tokens: Type.Integer(), parts: Type.Array(ContextPart) },
  {
    title: 'CompactionShare',
    examples: [
      { messages: 6, tokens: 18_600, parts: [{ kind: 'assistant', name: '', tokens: 18_600 }] },
    ],
  },
);
export type CompactionShare = AnswerOf<typeof Share>;

const Paths = OrNull(Type.Array(Type.String()), "Relative to the session's directory.");

const Content = Type.Object(
  { text: Type.String(), truncated: Type.Boolean(), redactions: Type.Integer() },
  {
    title: 'CompactionContent',
    examples: [
      { text: 'The cart is done; the checkout is next.', truncated: false, redactions: 0 },
    ],
  },
);
export type CompactionContent = AnswerOf<typeof Content>;
const ContentWhereSent = OrNull(
  Content,
  'Only if the recording machine sends it (`auditContent`).',
);

/** `GET /v1/compactions/{id}` */
export const CompactionDetails = Type.Object(
  {
    ...compactionFields,
    dropped: OrNull(Share),
    kept: OrNull(Share),
    filesRead: Paths,
    filesModified: Paths,
    regretPaths: Paths,
    cacheMiss: OrNull(
      Type.Object({
        fromTokens: Type.Integer(),
        toTokens: Type.Integer(),
        missedTokens: Type.Integer(),
        costNanoUsd: OrNull(NanoUsd()),
        reason: Type.String(),
      }),
    ),
    net: OrNull(
      Type.Object({
        savedTokens: Type.Integer({ description: 'Saved tokens times the answers after it.' }),
        savedNanoUsd: OrNull(NanoUsd()),
        rereadNanoUsd: OrNull(NanoUsd()),
        netNanoUsd: OrNull(NanoUsd()),
        leavesOut: Type.Array(Type.String(), { description: 'Costs that are unknown.' }),
      }),
    ),
    summary: ContentWhereSent,
    instructions: ContentWhereSent,
  },
  {
    title: 'CompactionDetails',
    examples: [
      {
        ...compaction,
        dropped: {
          messages: 84,
          tokens: 149_000,
          parts: [{ kind: 'toolResult', name: 'read', tokens: 149_000 }],
        },
        kept: {
          messages: 6,
          tokens: 18_600,
          parts: [{ kind: 'assistant', name: '', tokens: 18_600 }],
        },
        filesRead: ['src/cart.ts'],
        filesModified: ['src/cart.ts'],
        regretPaths: ['src/cart.ts'],
        cacheMiss: {
          fromTokens: 160_000,
          toTokens: 0,
          missedTokens: 20_480,
          costNanoUsd: '70656000',
          reason: 'compaction',
        },
        net: {
          savedTokens: 2_068_080,
          savedNanoUsd: '620424000',
          rereadNanoUsd: '8280',
          netNanoUsd: '487660000',
          leavesOut: [],
        },
        summary: null,
        instructions: null,
      },
    ],
  },
);
export type CompactionDetails = AnswerOf<typeof CompactionDetails>;
