import { Type } from 'typebox';
import { type AnswerOf, NanoUsd, OrNull, TextOrNull, TokenSum } from './fields.ts';

const TimeOrNull = (description: string) => OrNull(Type.String(), `${description} ISO 8601, UTC.`);
const AmountOrNull = (description: string) =>
  OrNull(Type.String({ pattern: '^\\d+(\\.\\d+)?$' }), description);

const example = {
  user: 'ada',
  provider: 'anthropic',
  window: 'unified-5h',
  name: '5 h',
  windowMs: 18_000_000,
  source: 'provider' as const,
  toldAt: '2026-11-22T19:31:00.000Z',
  machine: 'workbench',
  session: '01a1addd-51a6-7c53-8f5c-1e5b7f5a2f10',
  status: 'allowed' as const,
  starts: null,
  unit: null,
  used: null,
  limit: null,
  usedShare: 0.62,
  isAtLeast: false,
  startsAt: '2026-11-22T16:10:00.000Z',
  isStartEstimated: false,
  endsAt: '2026-11-22T21:10:00.000Z',
  fullAt: '2026-11-22T20:51:00.000Z',
  unpricedRecords: 0,
  unreportedRecords: 0,
  unknownBillingRecords: 0,
  worth: { tokens: 61_200_000, listPriceNanoUsd: '38400000000' },
};

export const QuotaWindow = Type.Object(
  {
    user: OrNull(Type.String(), 'Whose plan it is; null: unknown.'),
    provider: OrNull(Type.String(), 'Null: unknown.'),
    window: Type.String({ description: "In the provider's words, or as in `config.json`." }),
    name: Type.String({ description: 'For people: `5 h`, `week`.' }),
    windowMs: OrNull(Type.Integer(), 'Its length; null: not told.'),
    source: Type.Enum(['provider', 'limit'], {
      description: "`provider`: it said so. `limit`: your own limit, and this ledger's sum.",
    }),
    toldAt: TimeOrNull('When the provider said it.'),
    machine: TextOrNull,
    session: OrNull(Type.String(), 'In whose responses the provider said it.'),
    status: OrNull(Type.Enum(['allowed', 'allowed_warning', 'rejected'])),
    starts: OrNull(Type.Enum(['rolling', 'first use']), 'Of your own limit.'),
    unit: OrNull(
      Type.Enum(['tokens', 'messages', 'list-price dollars']),
      'Of `used` and `limit`; null: the provider names none.',
    ),
    used: AmountOrNull('In `unit`; null: not told.'),
    limit: AmountOrNull('In `unit`; null: not told.'),
    usedShare: OrNull(
      Type.Number(),
      '1: full. Null: not known, for example because the window has ended since.',
    ),
    isAtLeast: Type.Boolean({
      description: 'The sum leaves something out, so that more is used than this.',
    }),
    startsAt: TimeOrNull('Null: not known, or not begun.'),
    isStartEstimated: Type.Boolean(),
    endsAt: TimeOrNull('Null: not known, not begun, or rolling.'),
    fullAt: TimeOrNull(
      'An estimate: when it is full at the rate so far. Null: not before it ends, or too early ' +
        'to say.',
    ),
    unpricedRecords: Type.Integer({ description: 'Records without a price: not in dollars used.' }),
    unreportedRecords: Type.Integer({ description: 'Attempts whose spend is not known.' }),
    unknownBillingRecords: Type.Integer({
      description: 'Records that may be covered by the plan or not: not in the sum.',
    }),
    worth: OrNull(
      Type.Object({
        tokens: TokenSum(),
        listPriceNanoUsd: OrNull(NanoUsd(), 'Null: records without a price are among them.'),
      }),
      "What a full window buys, estimated: this ledger's sum by the share that the provider " +
        'told; what other programs used is in the share alone. Null: not told, below 5 %, or ' +
        'nothing counted.',
    ),
  },
  { title: 'QuotaWindow', examples: [example] },
);
export type QuotaWindow = AnswerOf<typeof QuotaWindow>;

/** `GET /v1/quota` */
export const Quota = Type.Object(
  {
    at: Type.String({ description: 'When this was computed.' }),
    rows: Type.Array(QuotaWindow, { description: 'By user, provider and length.' }),
    rowsLeftOut: Type.Integer({ description: 'Beyond the most that are returned.' }),
    limits: Type.Array(Type.String(), { description: 'Providers with your own limit.' }),
  },
  {
    title: 'Quota',
    description: 'What subscriptions used of their windows.',
    examples: [
      { at: '2026-11-22T19:40:00.000Z', rows: [example], rowsLeftOut: 0, limits: ['anthropic'] },
    ],
  },
);
export type Quota = AnswerOf<typeof Quota>;

const historyExample = {
  provider: 'anthropic',
  window: 'unified-5h',
  name: '5 h',
  windowMs: 18_000_000,
  user: null,
  users: 4,
  windows: 61,
  usedWindows: 27.42,
  fullWindows: 3,
  peakWindows: 2.61,
  peakAt: '2026-11-17T13:00:00.000Z',
  plansNeeded: 3,
};

export const QuotaHistoryRow = Type.Object(
  {
    provider: OrNull(Type.String(), 'Null: unknown.'),
    window: Type.String({ description: "In the provider's words." }),
    name: Type.String({ description: 'For people: `5 h`, `week`.' }),
    windowMs: Type.Integer({ description: 'Its length.' }),
    user: OrNull(Type.String(), 'Whose plan it is, by user; null: unknown, or of all.'),
    users: Type.Integer({ description: 'Whose plans it was.' }),
    windows: Type.Integer({ description: 'Those that were in use in these days.' }),
    usedWindows: Type.Number({
      description: 'What was used, in windows: 2.5 are two full ones and a half.',
    }),
    fullWindows: Type.Integer({ description: 'Those that were used up.' }),
    peakWindows: Type.Number({
      description:
        'The most that was used at one time of all windows that were open, in windows. Where ' +
        'some were full, more might have been.',
    }),
    peakAt: Type.String({ description: 'When it was told, to the hour. ISO 8601, UTC.' }),
    plansNeeded: Type.Integer({
      description: 'With this many plans, a tenth would have been left at that time.',
    }),
  },
  { title: 'QuotaHistoryRow', examples: [historyExample] },
);
export type QuotaHistoryRow = AnswerOf<typeof QuotaHistoryRow>;

/** `GET /v1/quota/history` */
export const QuotaHistory = Type.Object(
  {
    since: Type.String({ description: 'The first day, UTC.' }),
    until: Type.String({ description: 'The last day, UTC.' }),
    readAt: OrNull(
      Type.String(),
      'What was told since then is not in it: an answer over many sessions may be up to a minute ' +
        'old while events come. Null: all is.',
    ),
    rows: Type.Array(QuotaHistoryRow, { description: 'By provider and length; then by user.' }),
    isPartial: Type.Boolean({
      description: 'More than 20,000 sessions were told of windows: only the latest were read.',
    }),
  },
  {
    title: 'QuotaHistory',
    description: "How much of plans' windows was used over days, as providers told it.",
    examples: [
      {
        ...{ since: '2026-10-24', until: '2026-11-22', readAt: null },
        ...{ rows: [historyExample], isPartial: false },
      },
    ],
  },
);
export type QuotaHistory = AnswerOf<typeof QuotaHistory>;
