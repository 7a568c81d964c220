/** The shape of `GET /v1/context/{session}`. */
import { type Static, type TSchema, Type } from 'typebox';
import { CompactionRow } from './compaction-row.ts';
import { CompactionTotals } from './compaction-totals.ts';

const orNull = <Schema extends TSchema>(schema: Schema, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
const tokens = orNull(Type.Integer());
const source = Type.Enum(['provider', 'estimate', 'unknown'], {
  description: "`provider`: an answer's own usage; `unknown`: right after a compaction, and then there is no number.",
});

const Threshold = orNull(
  Type.Object({
    windowTokens: Type.Integer(),
    reserveTokens: Type.Integer(),
    thresholdTokens: orNull(Type.Integer(), 'Above it the host compacts; null: never by itself.'),
    source: Type.Enum(['host', 'files', 'default'], { description: '`default`: as the host is shipped; nobody told its settings.' }),
  }),
  'Null: no live host told the window (an imported session).',
);

const inForce = { provider: Type.String(), model: Type.String(), threshold: Threshold, untilThresholdTokens: tokens };
const figures = {
  time: Type.String(),
  tokens: orNull(Type.Integer(), 'Sent: input, cache read and cache written.'),
  heldTokens: orNull(Type.Integer(), 'With what came back: what the host compares to its threshold.'),
  source,
};

const kind = Type.Enum(['turn', 'compaction', 'branchSummary']);

const Point = Type.Object({
  kind,
  turn: Type.Integer({ description: 'Answers and attempts of the session so far.' }),
  entryId: Type.String(),
  ...figures,
  freshTokens: tokens,
  cacheReadTokens: tokens,
  cacheWriteTokens: tokens,
  outputTokens: tokens,
  growthTokens: orNull(Type.Integer(), 'Against the answer above it, when nothing cut the context in between.'),
  ...inForce,
});

const Composition = Type.Object(
  {
    at: orNull(Type.String(), 'The entry.'),
    time: orNull(Type.String()),
    totalTokens: Type.Integer(),
    source,
    estimatedTokens: Type.Integer({ description: "By the host's rule, before it is compared to the total." }),
    parts: Type.Array(Type.Object({ kind: Type.String(), name: Type.String(), tokens: Type.Integer() }), {
      description: 'They sum to the total; `unexplained` is what no entry tells.',
    }),
  },
  { description: 'What the context holds behind this entry; of an answer, what was sent for it.' },
);

const missSums = {
  count: Type.Integer(),
  missedTokens: Type.Integer(),
  costNanoUsd: Type.String({ description: '10^-9 USD, a decimal string; without the unpriced.' }),
  unpriced: Type.Integer(),
};

const CacheMiss = Type.Object({
  entryId: Type.String(),
  time: Type.String(),
  fromTokens: Type.Integer({ description: 'Read from the cache by the answer above.' }),
  toTokens: Type.Integer({ description: 'And by this one.' }),
  missedTokens: Type.Integer(),
  costNanoUsd: orNull(Type.String()),
  reason: Type.String(),
});

export const ContextAnswer = Type.Object({
  session: Type.String(),
  project: orNull(Type.String()),
  host: orNull(Type.String()),
  startedAt: Type.String(),
  lastSeenAt: Type.String(),
  turns: Type.Integer(),
  now: orNull(Type.Object({ kind, ...figures, ...inForce }), 'The last point; null: there is none.'),
  forecast: Type.Object({
    growthTokens: orNull(Type.Number(), 'Per turn.'),
    turnsLeft: orNull(Type.Integer(), 'Until the host compacts; null: not known, or it does not grow.'),
  }),
  points: Type.Array(Point),
  pointsInAll: Type.Integer({ description: 'Of the session; `points` may be fewer.' }),
  composition: Composition,
  largestResults: Type.Array(
    Type.Object({
      entryId: Type.String(),
      time: Type.String(),
      toolName: Type.String(),
      paths: Type.Array(Type.String()),
      tokens: Type.Integer(),
      isInContext: Type.Boolean(),
    }),
  ),
  cacheMisses: Type.Object({
    ...missSums,
    byReason: Type.Array(Type.Object({ reason: Type.String(), ...missSums })),
    worst: Type.Array(CacheMiss),
  }),
  compactions: Type.Array(CompactionRow, { description: 'As in `/v1/compactions`, the oldest first.' }),
  compactionTotals: CompactionTotals,
  factsLeftOut: Type.Integer({ description: 'Beyond the bounds of what is kept of ten minutes.' }),
});
export type ContextAnswer = Static<typeof ContextAnswer>;
