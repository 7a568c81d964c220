import { Type } from 'typebox';
import { type AnswerOf, NanoUsd, OrNull } from './fields.ts';

const Rule = Type.Enum(['metered', 'subscription'], {
  description: 'By use, or by a plan: amounts are then at list price, not billed.',
});

/** `GET /v1/billing` */
export const BillingList = Type.Object(
  {
    rows: Type.Array(
      Type.Object({
        provider: OrNull(Type.String(), 'Null: records that name none; no rule is of them.'),
        rule: OrNull(Rule, 'What was said of this provider; null: nothing.'),
        unknownBillingNanoUsd: NanoUsd('Nobody said how this is paid.'),
        unpricedRecords: Type.Integer({ description: 'Without a price: not in the amount.' }),
        unreportedRecords: Type.Integer({ description: 'Attempts whose spend is unknown.' }),
        suggested: OrNull(
          Rule,
          'By the kind of the credentials that an agent on this machine has for the provider; ' +
            'null: nothing, or of both kinds.',
        ),
      }),
      {
        description:
          'Providers with a rule, and those with spend of which nobody said how it is paid.',
      },
    ),
    next: Type.Null(),
  },
  {
    title: 'BillingList',
    examples: [
      {
        rows: [
          {
            provider: 'anthropic',
            rule: null,
            unknownBillingNanoUsd: '3122100000000',
            unpricedRecords: 0,
            unreportedRecords: 2,
            suggested: 'subscription',
          },
        ],
        next: null,
      },
    ],
  },
);
export type BillingList = AnswerOf<typeof BillingList>;

/** `POST /v1/billing` */
export const BillingChanged = Type.Object(
  {
    rules: Type.Record(Type.String(), Rule, { description: 'All rules in force, by provider.' }),
    unused: Type.Array(Type.String(), {
      description: 'Providers of this request that no record is of: their rules change nothing.',
    }),
    isBehind: Type.Boolean({
      description: 'Views are still being folded anew; until then figures keep the old rules.',
    }),
  },
  {
    title: 'BillingChanged',
    description:
      'A rule counts where sessions do not say how they are paid, as in imported history.',
    examples: [{ rules: { anthropic: 'subscription' }, unused: [], isBehind: false }],
  },
);
export type BillingChanged = AnswerOf<typeof BillingChanged>;
