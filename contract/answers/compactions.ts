import { Type } from 'typebox';
import { type AnswerOf, CountOrNull, NanoUsd, Next, OrNull, TextOrNull } from './fields.ts';

const compactionFields = {
  id: Type.String({ description: "The event's: `/v1/compactions/{id}` has all of the row." }),
  kind: Type.Enum(['compaction', 'branchSummary', 'failure']),
  entryId: OrNull(Type.String(), 'In the session file; a compaction that failed left no entry.'),
  session: Type.String(),
  project: TextOrNull,
  user: TextOrNull,
  machine: TextOrNull,
  host: TextOrNull,
  time: Type.String(),
  trigger: OrNull(
    Type.String(),
    'manual, threshold, overflow, ...; null: only the live host knows it.',
  ),
  by: OrNull(Type.Enum(['host', 'extension']), 'Who made the summary.'),
  method: OrNull(Type.String(), "omp's: soft, shake, ..."),
  provider: TextOrNull,
  model: OrNull(
    Type.String(),
    'That made the summary: the one in force. Of an extension nobody says.',
  ),
  tokensBefore: CountOrNull,
  tokensAfterEstimated: OrNull(Type.Integer(), "The host's estimate."),
  tokensAfterMeasured: OrNull(Type.Integer(), 'Sent for the first answer after it.'),
  savedTokens: CountOrNull,
  costNanoUsd: OrNull(
    NanoUsd(),
    'Of the call that made the summary; null: the host does not report it, or nobody knows a price (`costSource`), which is not free.',
  ),
  costSource: OrNull(Type.Enum(['host', 'unreported'])),
  durationMs: OrNull(Type.Number()),
  aborted: OrNull(Type.Boolean(), 'Of one that failed.'),
  willRetry: OrNull(Type.Boolean()),
  instructionsChars: OrNull(Type.Integer(), 'What the user asked the summary to heed; 0: nothing.'),
  summaryTokens: CountOrNull,
  droppedMessages: CountOrNull,
  droppedTokens: OrNull(Type.Integer(), 'Estimated, as keptTokens.'),
  keptMessages: CountOrNull,
  keptTokens: CountOrNull,
  filesReadCount: OrNull(Type.Integer(), 'That the summary lists.'),
  filesModifiedCount: CountOrNull,
  cacheMissTokens: OrNull(Type.Integer(), 'Of the first answer after it; 0: none.'),
  cacheMissNanoUsd: OrNull(
    NanoUsd(),
    'What these cost beyond reading them from the cache; null: no answer yet, or no price.',
  ),
  regretReads: OrNull(Type.Integer(), 'Files read before and again within the next 10 turns.'),
  regretTokens: CountOrNull,
  turnsAfter: OrNull(Type.Integer(), 'Answers until the next compaction, or so far.'),
  netNanoUsd: OrNull(NanoUsd(), 'What it saved, less what it cost; null: not known.'),
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
    description: 'Those that failed and branch summaries are not in it.',
  }),
  branchSummaries: Type.Integer(),
  failures: Type.Integer(),
  costNanoUsd: NanoUsd('Of the calls that made summaries, as far as it is reported.'),
  unreportedCosts: Type.Integer({
    description:
      'Compactions and branch summaries whose cost no host reports, or nobody knows a price for: not free.',
  }),
  savedTokens: Type.Integer({
    description:
      'By compactions: before, less measured after. What is only estimated is not in it.',
  }),
  cacheMissNanoUsd: NanoUsd('Of the first answers after them.'),
  regretReads: Type.Integer(),
  regretTokens: Type.Integer(),
  regrettedCompactions: Type.Integer({
    description: 'After which at least one file was read again.',
  }),
  regretRate: OrNull(Type.Number(), 'Of all compactions, 0 to 1; null: there is none.'),
  netNanoUsd: NanoUsd('As far as it is known.'),
  unknownNets: Type.Integer({ description: 'Compactions without a net.' }),
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
    description: 'Totals are of all rows, not of this page.',
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

const Paths = OrNull(Type.Array(Type.String()), 'Relative to the directory of the session.');

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
  'Only where the machine that recorded it sends it (`auditContent`).',
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
        savedTokens: Type.Integer({ description: 'Saved, times the answers after it.' }),
        savedNanoUsd: OrNull(NanoUsd()),
        rereadNanoUsd: OrNull(NanoUsd()),
        netNanoUsd: OrNull(NanoUsd()),
        leavesOut: Type.Array(Type.String(), { description: 'Costs that are not known.' }),
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
