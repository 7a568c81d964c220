import { Type } from 'typebox';
import { type AnswerOf, OrNull } from './fields.ts';

const example = {
  webhook: 'https://hooks.slack.com/...',
  format: 'slack' as const,
  id: '01a2073c-26a2-8daf-b11a-f0afd6cfa211',
  budget: 'shop',
  state: 'warning',
  status: 'delivered' as const,
  since: '2026-11-21T15:02:11.480Z',
  endedAt: '2026-11-21T15:02:13.020Z',
  nextAt: null,
  attempts: 2,
  detail: 'HTTP 200',
};

const BudgetDelivery = Type.Object(
  {
    webhook: Type.String({ description: 'Its address, without what may be secret.' }),
    format: Type.Enum(['slack', 'json']),
    id: Type.String({ description: 'Of the crossing; each attempt has it.' }),
    budget: Type.String(),
    state: Type.String({ description: 'That the budget came into.' }),
    status: Type.Enum(['waiting', 'delivered', 'refused', 'given up'], {
      description:
        '`waiting`: it is sent again for a day. `refused`: the endpoint will not take it.',
    }),
    since: Type.String({ description: 'When it was due.' }),
    endedAt: OrNull(Type.String(), 'Null: it waits.'),
    nextAt: OrNull(Type.String(), 'No attempt is made before; null: at once, or never again.'),
    attempts: Type.Integer(),
    detail: OrNull(Type.String(), 'What the last attempt came to: `HTTP 503`.'),
  },
  { title: 'BudgetDelivery', examples: [example] },
);
export type BudgetDelivery = AnswerOf<typeof BudgetDelivery>;

/** `GET /v1/budgets/deliveries` */
export const BudgetDeliveryList = Type.Object(
  { rows: Type.Array(BudgetDelivery, { description: 'Newest first.' }) },
  {
    title: 'BudgetDeliveryList',
    description: 'What webhooks were told of budgets: what waits, and the newest 50 of each.',
    examples: [{ rows: [example] }],
  },
);
export type BudgetDeliveryList = AnswerOf<typeof BudgetDeliveryList>;
