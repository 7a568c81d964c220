import { Type } from 'typebox';
import { type AnswerOf, CountOrNull, NanoUsd, OrNull, TextOrNull } from './fields.ts';

const Cost = Type.Object(
  {
    nanoUsd: NanoUsd('Of records with a price.'),
    inputNanoUsd: NanoUsd('Input that no cache had.'),
    cacheReadNanoUsd: NanoUsd(),
    cacheWriteNanoUsd: NanoUsd(),
    outputNanoUsd: NanoUsd(),
    otherNanoUsd: NanoUsd('What the host does not split. May be negative.'),
    summaryNanoUsd: NanoUsd('Of compactions and branch summaries; in none of the other parts.'),
    unpricedRecords: Type.Integer(),
    unreportedRecords: Type.Integer({ description: 'Attempts that reported nothing.' }),
  },
  { title: 'ContextCost' },
);

/** Only the kinds of billing that occur. */
const CostByBilling = Type.Partial(
  Type.Object({ metered: Cost, subscription: Cost, unknown: Cost }),
);

const Bands = Type.Object(
  {
    system: Type.Integer({ description: 'System prompt and tool definitions.' }),
    answers: Type.Integer({ description: 'Text, thinking and tool calls.' }),
    toolResults: Type.Integer(),
    prompts: Type.Integer({ description: 'Prompts, summaries, images and other messages.' }),
    unexplained: Type.Integer(),
  },
  {
    title: 'ContextBands',
    description: 'The parts of the composition at this entry, added up; their sum is its total.',
  },
);
export type ContextBands = AnswerOf<typeof Bands>;

const Point = Type.Object(
  {
    kind: Type.Enum(['turn', 'compaction', 'branchSummary']),
    turn: Type.Integer(),
    entryId: Type.String(),
    time: Type.String(),
    tokens: OrNull(Type.Integer(), 'As in `GET /v1/context/{session}`, like the next seven.'),
    heldTokens: CountOrNull,
    source: Type.Enum(['provider', 'estimate', 'unknown']),
    freshTokens: CountOrNull,
    cacheReadTokens: CountOrNull,
    cacheWriteTokens: CountOrNull,
    outputTokens: CountOrNull,
    model: Type.String(),
    windowTokens: OrNull(Type.Integer(), 'Null: no live host told it.'),
    thresholdTokens: OrNull(Type.Integer(), 'Null: not known, or the host never compacts.'),
    bands: Bands,
    turnsCovered: Type.Integer({
      description: 'Answers and attempts since the point before, this one included.',
    }),
    byBilling: CostByBilling,
  },
  {
    title: 'ContextSeriesPoint',
    description:
      'Costs cover everything since the point before, so that they add up however few points.',
  },
);
export type ContextSeriesPoint = AnswerOf<typeof Point>;

const cost = {
  nanoUsd: '9000000',
  inputNanoUsd: '36000',
  cacheReadNanoUsd: '3600000',
  cacheWriteNanoUsd: '864000',
  outputNanoUsd: '4500000',
  otherNanoUsd: '0',
  summaryNanoUsd: '0',
  unpricedRecords: 0,
  unreportedRecords: 0,
};

/** `GET /v1/context/{session}/series` */
export const ContextSeries = Type.Object(
  {
    session: Type.String(),
    project: TextOrNull,
    turns: Type.Integer(),
    points: Type.Array(Point),
    pointsInAll: Type.Integer({ description: '`points` may contain fewer.' }),
    byBilling: CostByBilling,
    factsLeftOut: Type.Integer({
      description: 'Facts beyond the limit of what is kept for ten minutes.',
    }),
  },
  {
    title: 'ContextSeries',
    description:
      "The session's own answers and summaries; subagents and nested work of tools are not in it.",
    examples: [
      {
        session: '019a0040-0000-7000-8000-000000000040',
        project: 'shop',
        turns: 1,
        points: [
          {
            kind: 'turn',
            turn: 1,
            entryId: 'a81c03f2',
            time: '2026-05-01T09:41:12.000Z',
            tokens: 12_852,
            heldTokens: 13_152,
            source: 'provider',
            freshTokens: 12,
            cacheReadTokens: 12_000,
            cacheWriteTokens: 840,
            outputTokens: 300,
            model: 'claude-sonnet-4-5',
            windowTokens: 200_000,
            thresholdTokens: 183_616,
            bands: {
              system: 11_900,
              answers: 0,
              toolResults: 0,
              prompts: 940,
              unexplained: 12,
            },
            turnsCovered: 1,
            byBilling: { metered: cost },
          },
        ],
        pointsInAll: 1,
        byBilling: { metered: cost },
        factsLeftOut: 0,
      },
    ],
  },
);
export type ContextSeries = AnswerOf<typeof ContextSeries>;
