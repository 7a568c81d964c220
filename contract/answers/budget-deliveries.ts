import { Type } from 'typebox';
import { type AnswerOf, OrNull } from './fields.ts';

const example = {
  to: 'https://hooks.slack.com/...',
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
  notices: 1,
};

const BudgetDelivery = Type.Object(
  {
    to: Type.String({
      description:
        "A webhook's address, without what may be secret; of an e-mail address what is behind " +
        '`@`, and the server.',
    }),
    format: Type.Enum(['slack', 'json', 'email']),
    id: Type.String({ description: 'Of the crossing; each attempt has it.' }),
    budget: Type.String(),
    state: Type.String({ description: 'That the budget came into.' }),
    status: Type.Enum(['waiting', 'delivered', 'refused', 'given up'], {
      description: '`waiting`: it is sent again for a day. `refused`: it will never be taken.',
    }),
    since: Type.String({ description: 'When it was due.' }),
    endedAt: OrNull(Type.String(), 'Null: it waits.'),
    nextAt: OrNull(Type.String(), 'No attempt is made before; null: at once, or never again.'),
    attempts: Type.Integer(),
    detail: OrNull(Type.String(), 'What the last attempt came to: `HTTP 503`.'),
    notices: Type.Integer({
      description:
        'How many: older ones that did not arrive are one row for each budget, state and status, ' +
        'of which this is the newest.',
    }),
  },
  { title: 'BudgetDelivery', examples: [example] },
);
export type BudgetDelivery = AnswerOf<typeof BudgetDelivery>;

/** `GET /v1/budgets/deliveries` */
export const BudgetDeliveryList = Type.Object(
  { rows: Type.Array(BudgetDelivery, { description: 'Newest first.' }) },
  {
    title: 'BudgetDeliveryList',
    description:
      'Notices of budgets that were sent: what waits, the newest 50 of each place, and whatever ' +
      'did not arrive within 31 days.',
    examples: [{ rows: [example] }],
  },
);
export type BudgetDeliveryList = AnswerOf<typeof BudgetDeliveryList>;
