import { Type } from 'typebox';
import { billings } from '../billings.ts';
import { type AnswerOf, CountOrNull, columnsOf, NanoUsd, OrNull, TextOrNull } from '../fields.ts';

const example = {
  time: '2026-11-22T09:41:12.000Z',
  session: '01a1addd-51a6-7c53-8f5c-1e5b7f5a2f10',
  project: 'shop',
  kind: 'turn',
  turn: 12,
  provider: 'anthropic',
  model: 'claude-sonnet-5',
  startedAt: '2026-11-22T09:41:03.000Z',
  durationMs: 9_000,
  firstTokenMs: 810,
  sentTokens: 41_300,
  cacheReadTokens: 40_100,
  outputTokens: 800,
  failed: false,
  status: 200,
  billing: 'metered',
  costSource: 'priced',
  costNanoUsd: '9000000',
};

const Request = Type.Object(
  {
    time: Type.String({ description: 'When its answer was recorded.' }),
    session: Type.String(),
    project: TextOrNull,
    kind: Type.Enum(['turn', 'compaction', 'branchSummary']),
    turn: OrNull(Type.Integer(), 'Its number in the session; null: of a summary.'),
    provider: TextOrNull,
    model: TextOrNull,
    startedAt: OrNull(Type.String(), 'Null: not known.'),
    durationMs: OrNull(Type.Number(), 'Null: not known.'),
    firstTokenMs: OrNull(Type.Number(), 'Until the first token, or the first byte in pi.'),
    sentTokens: OrNull(Type.Integer(), 'Null: not reported; of a summary: before it.'),
    cacheReadTokens: OrNull(Type.Integer(), 'Those of them that came from the cache.'),
    outputTokens: CountOrNull,
    failed: Type.Boolean({ description: 'It failed, was aborted, or reported nothing.' }),
    status: OrNull(Type.Integer(), 'HTTP status, where a host told.'),
    billing: Type.Enum(billings),
    costSource: Type.Enum(['priced', 'unpriced', 'unreported']),
    costNanoUsd: OrNull(NanoUsd(), 'Null: no price, or not reported.'),
  },
  { title: 'Request', examples: [example] },
);
export type Request = AnswerOf<typeof Request>;

/** The columns of the CSV, in order. */
export const requestColumns = columnsOf(example);

/** `GET /v1/requests` */
export const RequestList = Type.Object(
  {
    rows: Type.Array(Request),
    next: Type.Null({ description: 'There is one page: ask for an earlier `until`.' }),
    sessionsRead: Type.Integer(),
    isComplete: Type.Boolean({
      description: 'False: too many sessions to read; rows of the others may be missing.',
    }),
  },
  {
    title: 'RequestList',
    description: 'The newest first.',
    examples: [{ rows: [example], next: null, sessionsRead: 1, isComplete: true }],
  },
);
export type RequestList = AnswerOf<typeof RequestList>;
