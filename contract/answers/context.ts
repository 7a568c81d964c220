import { Type } from 'typebox';
import { ContextPart } from './compactions/details-schema.ts';
import { Compaction, CompactionTotals, totalsExample } from './compactions/schema.ts';
import { type AnswerOf, CountOrNull, NanoUsd, OrNull, TextOrNull } from './fields.ts';
import { Costs } from './timeline.ts';

const Source = Type.Enum(['provider', 'estimate', 'unknown'], {
  description:
    "`provider`: an answer's own usage; " +
    '`unknown`: right after a compaction, when there is no number.',
});

const Threshold = OrNull(
  Type.Object({
    windowTokens: Type.Integer(),
    reserveTokens: Type.Integer(),
    thresholdTokens: OrNull(
      Type.Integer(),
      'The host compacts above this; null: never automatically.',
    ),
    source: Type.Enum(['host', 'files', 'default'], {
      description: "`default`: the host's built-in settings; its own are not known.",
    }),
  }),
  'Null: no live host reported the window (an imported session).',
);

const Kind = Type.Enum(['turn', 'compaction', 'branchSummary']);
const inForce = {
  provider: Type.String(),
  model: Type.String(),
  threshold: Threshold,
  untilThresholdTokens: CountOrNull,
};
const held = {
  time: Type.String(),
  tokens: OrNull(Type.Integer(), 'Tokens sent: input, cache read and cache write.'),
  heldTokens: OrNull(
    Type.Integer(),
    'Including the answer: what the host compares to its threshold.',
  ),
  source: Source,
};

const Point = Type.Object(
  {
    kind: Kind,
    turn: Type.Integer({ description: 'Number of answers and attempts in the session so far.' }),
    entryId: Type.String(),
    ...held,
    freshTokens: CountOrNull,
    cacheReadTokens: CountOrNull,
    cacheWriteTokens: CountOrNull,
    outputTokens: CountOrNull,
    growthTokens: OrNull(
      Type.Integer(),
      'Since the answer above, if nothing reduced the context in between.',
    ),
    ...inForce,
  },
  { title: 'ContextPoint' },
);
export type ContextPoint = AnswerOf<typeof Point>;

const Composition = Type.Object(
  {
    at: OrNull(Type.String(), 'The entry; null: none recorded.'),
    time: TextOrNull,
    totalTokens: Type.Integer(),
    source: Source,
    estimatedTokens: Type.Integer({
      description: "By the host's rule, before scaling to the total.",
    }),
    parts: Type.Array(ContextPart, {
      description: 'They add up to the total; `unexplained` is what no entry accounts for.',
    }),
  },
  {
    title: 'ContextComposition',
    description:
      'The content of the context after this entry; for an answer, what was sent for it.',
  },
);

const missSums = {
  count: Type.Integer(),
  missedTokens: Type.Integer(),
  costs: Costs,
  unpriced: Type.Integer(),
};

const CacheMiss = Type.Object(
  {
    entryId: Type.String(),
    time: Type.String(),
    fromTokens: Type.Integer({ description: 'Cache read by the answer above.' }),
    toTokens: Type.Integer({ description: 'Cache read by this answer.' }),
    missedTokens: Type.Integer(),
    costNanoUsd: OrNull(NanoUsd()),
    reason: Type.String(),
  },
  { title: 'CacheMiss' },
);
export type CacheMiss = AnswerOf<typeof CacheMiss>;

const worstOfBilling = {
  metered: Type.Array(CacheMiss),
  subscription: Type.Array(CacheMiss),
  unknown: Type.Array(CacheMiss),
};

const LargestResult = Type.Object(
  {
    entryId: Type.String(),
    time: Type.String(),
    toolName: Type.String(),
    paths: Type.Array(Type.String()),
    tokens: Type.Integer(),
    isInContext: Type.Boolean(),
  },
  { title: 'LargestResult' },
);
export type LargestResult = AnswerOf<typeof LargestResult>;

const threshold = {
  windowTokens: 200_000,
  reserveTokens: 16_384,
  thresholdTokens: 183_616,
  source: 'host',
};
const point = {
  kind: 'turn',
  turn: 12,
  entryId: 'a81c03f2',
  time: '2026-05-01T09:41:12.000Z',
  tokens: 41_300,
  heldTokens: 42_100,
  source: 'provider',
  freshTokens: 12,
  cacheReadTokens: 40_100,
  cacheWriteTokens: 1_188,
  outputTokens: 800,
  growthTokens: 1_988,
  provider: 'anthropic',
  model: 'claude-sonnet-4-5',
  threshold,
  untilThresholdTokens: 141_516,
};

/** `GET /v1/context/{session}` */
export const ContextWindow = Type.Object(
  {
    session: Type.String(),
    project: TextOrNull,
    host: TextOrNull,
    startedAt: Type.String(),
    lastSeenAt: Type.String(),
    turns: Type.Integer(),
    now: OrNull(Type.Object({ kind: Kind, ...held, ...inForce }), 'The last point; null: none.'),
    forecast: Type.Object({
      growthTokens: OrNull(Type.Number(), 'Per turn.'),
      turnsLeft: OrNull(
        Type.Integer(),
        'Until the host compacts; null: unknown, or the context does not grow.',
      ),
    }),
    points: Type.Array(Point),
    pointsInAll: Type.Integer({
      description: 'Points in the session; `points` may contain fewer.',
    }),
    composition: Composition,
    largestResults: Type.Array(LargestResult),
    cacheMisses: Type.Object({
      ...missSums,
      byReason: Type.Array(Type.Object({ reason: Type.String(), ...missSums })),
      worst: Type.Object(worstOfBilling, {
        description: 'Of each billing the costliest, or the largest where no cost is known.',
      }),
    }),
    compactions: Type.Array(Compaction, {
      description: 'As in `/v1/compactions`, oldest first.',
    }),
    compactionTotals: CompactionTotals,
    factsLeftOut: Type.Integer({
      description: 'Facts beyond the limit of what is kept for ten minutes.',
    }),
  },
  {
    title: 'ContextWindow',
    examples: [
      {
        session: '019a0040-0000-7000-8000-000000000040',
        project: 'shop',
        host: 'pi',
        startedAt: '2026-05-01T09:00:00.000Z',
        lastSeenAt: '2026-05-01T09:41:12.000Z',
        turns: 12,
        now: {
          kind: 'turn',
          time: point.time,
          tokens: point.tokens,
          heldTokens: point.heldTokens,
          source: 'provider',
          provider: point.provider,
          model: point.model,
          threshold,
          untilThresholdTokens: point.untilThresholdTokens,
        },
        forecast: { growthTokens: 1_900, turnsLeft: 74 },
        points: [point],
        pointsInAll: 13,
        composition: {
          at: 'a81c03f2',
          time: point.time,
          totalTokens: 41_300,
          source: 'provider',
          estimatedTokens: 39_800,
          parts: [{ kind: 'toolResult', name: 'read', tokens: 41_300 }],
        },
        largestResults: [
          {
            entryId: '0c31f2aa',
            time: point.time,
            toolName: 'read',
            paths: ['src/cart.ts'],
            tokens: 12_400,
            isInContext: true,
          },
        ],
        cacheMisses: {
          count: 0,
          missedTokens: 0,
          costs: {},
          unpriced: 0,
          byReason: [],
          worst: { metered: [], subscription: [], unknown: [] },
        },
        compactions: [],
        compactionTotals: { ...totalsExample, compactions: 0, regretRate: null },
        factsLeftOut: 0,
      },
    ],
  },
);
export type ContextWindow = AnswerOf<typeof ContextWindow>;
