import { Type } from 'typebox';
import { billings } from './billings.ts';
import { type AnswerOf, NanoUsd, OrNull } from './fields.ts';

const row = { is: 'branch' as const, id: 'main', nanoUsd: '24610000000', text: '+$24.61' };
const insight = {
  id: '7c1e04b2',
  kind: 'spends-more',
  billing: 'metered' as const,
  nanoUsd: '44150000000',
  bound: 'exact' as const,
  isChange: true,
  title: 'demo-weather spends more: $94.99 against $50.84 in the 30 days before',
  reason: 'main +$24.61, feature/radar +$19.54',
  command: 'pi-ledger report --project demo-weather --by branch --since 2026-10-24',
  rows: [row],
  rowsInAll: 1,
  hidden: false,
};

const InsightRow = Type.Object({
  is: Type.Enum(['session', 'compaction', 'entry', 'project', 'branch', 'model', 'user']),
  id: Type.String(),
  nanoUsd: OrNull(NanoUsd(), 'Null: not known.'),
  text: Type.String({ description: 'Its figures, for people.' }),
  session: Type.Optional(Type.String({ description: 'Of an entry: the session that has it.' })),
});

export const Insight = Type.Object(
  {
    id: Type.String({
      pattern: '^[0-9a-f]{8}$',
      description: 'The same for the same subject, whatever the period.',
    }),
    kind: Type.String(),
    billing: Type.Enum(billings),
    nanoUsd: OrNull(NanoUsd(), 'What it cost, or how much more. Null: not known.'),
    bound: Type.Enum(['exact', 'atLeast', 'atMost', 'estimated']),
    isChange: Type.Boolean({
      description: 'The amount is what was spent beyond before or beyond what is usual.',
    }),
    title: Type.String(),
    reason: OrNull(Type.String()),
    command: Type.String({ description: 'Shows the rows behind it.' }),
    rows: Type.Array(InsightRow, {
      description: 'The largest rows behind it; with `id`, all of them, up to 1,000.',
    }),
    rowsInAll: Type.Integer(),
    hidden: Type.Boolean(),
  },
  { title: 'Insight', examples: [insight] },
);
export type Insight = AnswerOf<typeof Insight>;

/** `GET /v1/insights` */
export const Insights = Type.Object(
  {
    since: Type.String({ description: 'The first day.' }),
    until: Type.String({ description: 'The last day.' }),
    readAt: OrNull(
      Type.String(),
      'Events since then are not in it: a large answer may be up to a minute old while events ' +
        'come. Null: all are.',
    ),
    rows: Type.Array(Insight, {
      description: 'By billing; then by amount, those not known last. Amounts are never added up.',
    }),
    rowsLeftOut: Type.Integer({ description: 'Beyond `limit` of each billing.' }),
    hiddenRows: Type.Integer({ description: 'Hidden ones that are left out.' }),
    leftOut: Type.Array(Type.String(), { description: 'What was not looked at.' }),
  },
  {
    title: 'Insights',
    examples: [
      {
        since: '2026-10-24',
        until: '2026-11-22',
        readAt: null,
        rows: [insight],
        rowsLeftOut: 0,
        hiddenRows: 0,
        leftOut: ['contexts of 100 of 431 sessions were read, those that spent most'],
      },
    ],
  },
);
export type Insights = AnswerOf<typeof Insights>;

/** `POST /v1/insights/{id}/hidden` */
export const InsightsHidden = Type.Object(
  { hidden: Type.Array(Type.String(), { description: 'All that are hidden now.' }) },
  { title: 'InsightsHidden', examples: [{ hidden: ['7c1e04b2'] }] },
);
