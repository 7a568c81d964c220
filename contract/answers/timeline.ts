import { Type } from 'typebox';
import { type AnswerOf, CountOrNull, NanoUsd, OrNull, TextOrNull } from './fields.ts';

/** Amounts with different billing are never added up. */
export const Costs = Type.Partial(
  Type.Object({ metered: NanoUsd(), subscription: NanoUsd(), unknown: NanoUsd() }),
  { title: 'CostsByBilling', description: 'Only the kinds of billing that occur.' },
);
export type CostsByBilling = AnswerOf<typeof Costs>;

const counts = {
  prompts: Type.Integer(),
  turns: Type.Integer(),
  failedTurns: Type.Integer(),
  tools: Type.Integer(),
  failedTools: Type.Integer(),
  retries: Type.Integer(),
  waits: Type.Integer(),
  subagents: Type.Integer(),
  others: Type.Integer(),
  unpriced: Type.Integer({ description: 'Records without a price: in no amount.' }),
  unreported: Type.Integer({ description: 'Records that reported nothing: in no amount.' }),
};

const Run = Type.Object(
  {
    turns: Type.Integer(),
    toolCalls: Type.Integer(),
    failedTurns: Type.Integer(),
    outcome: OrNull(Type.String(), 'Null: no live host told it, like the next two.'),
    filesModified: CountOrNull,
    durationMs: OrNull(Type.Number()),
    costs: Costs,
    unpriced: Type.Integer({ description: 'Records without a price: in no amount.' }),
  },
  { title: 'TimelineRun', description: 'What a prompt led to; its costs are in those of items.' },
);

const Subagent = Type.Object(
  {
    session: Type.String(),
    parentSession: Type.String(),
    turns: Type.Integer(),
    costs: Costs,
    unpriced: Type.Integer(),
    unreported: Type.Integer(),
  },
  { title: 'TimelineSubagent', description: 'Its own spend, in no other figure of the item.' },
);

const Item = Type.Object(
  {
    kind: Type.Enum([
      'prompt',
      'turn',
      'tool',
      'compaction',
      'failedCompaction',
      'branchSummary',
      'sideCall',
      'model',
      'retry',
      'wait',
      'subagent',
      'merged',
    ]),
    entryId: OrNull(Type.String(), 'Of a retry or a wait: the answer it belongs to.'),
    time: Type.String({ description: 'When it was recorded. A subagent: when it began.' }),
    startedAt: OrNull(Type.String(), 'Null: not known.'),
    durationMs: OrNull(Type.Number(), 'By a monotonic clock, but of subagents; null: not known.'),
    name: Type.String({ description: 'The tool, model, agent, side call or kind of wait.' }),
    turn: OrNull(Type.Integer(), 'Of what is merged: its last.'),
    failed: Type.Boolean({ description: 'Also: an approval that was refused.' }),
    status: OrNull(Type.Integer(), 'HTTP status of an answer or attempt, where told.'),
    firstTokenMs: OrNull(Type.Number(), 'Until the first token, or the first byte in pi.'),
    tokens: OrNull(Type.Integer(), 'Sent for an answer; before a compaction.'),
    cacheReadTokens: OrNull(Type.Integer(), 'Those of an answer that came from the cache.'),
    missedTokens: OrNull(Type.Integer(), 'Of an answer: a cache miss, as in `/v1/context`.'),
    outputTokens: CountOrNull,
    untilThresholdTokens: OrNull(Type.Integer(), 'After an answer, as in `/v1/context`.'),
    resultTokens: OrNull(Type.Integer(), 'Of a call: the size of its result, estimated.'),
    paths: Type.Array(Type.String(), { description: 'Files that a call named; bounded.' }),
    costSource: OrNull(
      Type.Enum(['priced', 'unpriced', 'unreported']),
      'Null: it spends nothing itself, or it is merged.',
    ),
    costs: Costs,
    costsSoFar: Costs,
    run: OrNull(Run, 'Of a prompt.'),
    subagent: OrNull(Subagent),
    merged: OrNull(Type.Object(counts, { title: 'TimelineMerged' }), 'How many of each it holds.'),
  },
  { title: 'TimelineItem' },
);
export type TimelineItem = AnswerOf<typeof Item>;

const item = {
  kind: 'turn',
  entryId: 'a81c03f2',
  time: '2026-05-01T09:41:12.000Z',
  startedAt: '2026-05-01T09:41:03.000Z',
  durationMs: 9_000,
  name: 'claude-sonnet-4-5',
  turn: 12,
  failed: false,
  status: 200,
  firstTokenMs: 810,
  tokens: 41_300,
  cacheReadTokens: 40_100,
  missedTokens: null,
  outputTokens: 800,
  untilThresholdTokens: 141_516,
  resultTokens: null,
  paths: [],
  costSource: 'priced',
  costs: { metered: '9000000' },
  costsSoFar: { metered: '88000000' },
  run: null,
  subagent: null,
  merged: null,
};

/** `GET /v1/sessions/{id}/timeline` */
export const Timeline = Type.Object(
  {
    session: Type.String(),
    project: TextOrNull,
    startedAt: Type.String(),
    lastSeenAt: Type.String(),
    items: Type.Array(Item),
    itemsInAll: Type.Integer({ description: 'Of those asked for; `items` may be fewer.' }),
    itemsMerged: Type.Integer({ description: 'Those of them that stand in merged items.' }),
    costs: Costs,
    costsNotPlaced: Type.Partial(
      Type.Object({ metered: NanoUsd(), subscription: NanoUsd(), unknown: NanoUsd() }),
      { description: 'What no item has: claims about subagents, facts left out. May be negative.' },
    ),
    unpriced: Type.Integer({ description: 'Records without a price: in no amount.' }),
    unreported: Type.Integer({ description: 'Attempts that reported nothing.' }),
    subagents: Type.Integer({ description: 'At every level below the session.' }),
    subagentsLeftOut: Type.Boolean({ description: 'There are more, in no figure here.' }),
    costsOfSubagents: Costs,
    unpricedOfSubagents: Type.Integer(),
    unreportedOfSubagents: Type.Integer(),
    factsLeftOut: Type.Integer({
      description: 'Facts beyond the limit of what is kept for ten minutes.',
    }),
  },
  {
    title: 'Timeline',
    description: 'The costs of all items, and those not placed, add up to `costs`.',
    examples: [
      {
        session: '019a0040-0000-7000-8000-000000000040',
        project: 'shop',
        startedAt: '2026-05-01T09:00:00.000Z',
        lastSeenAt: '2026-05-01T09:41:12.000Z',
        items: [item],
        itemsInAll: 1,
        itemsMerged: 0,
        costs: { metered: '88000000' },
        costsNotPlaced: { metered: '0' },
        unpriced: 0,
        unreported: 0,
        subagents: 0,
        subagentsLeftOut: false,
        costsOfSubagents: {},
        unpricedOfSubagents: 0,
        unreportedOfSubagents: 0,
        factsLeftOut: 0,
      },
    ],
  },
);
export type Timeline = AnswerOf<typeof Timeline>;
