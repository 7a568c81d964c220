import { Type } from 'typebox';
import { type AnswerOf, NanoUsd } from './fields.ts';

/** `POST /v1/labels` */
export const Labelled = Type.Object(
  {
    sessions: Type.Integer({ description: 'Sessions with records that fit.' }),
    changed: Type.Integer({
      description: 'Sessions for which this is new; an event was appended for each.',
    }),
    records: Type.Integer({ description: 'Records that fit.' }),
    meteredNanoUsd: NanoUsd('Of these records, billed by use.'),
    subscriptionNanoUsd: NanoUsd('Of these records, list-price equivalent of a subscription.'),
    unknownBillingNanoUsd: NanoUsd('Of these records, not known how billed.'),
    unpricedRecords: Type.Integer({ description: 'Without a price: not in the amounts.' }),
  },
  {
    title: 'Labelled',
    description: 'Sessions that are recorded or imported later are not labelled: a rule does that.',
    examples: [
      {
        sessions: 12,
        changed: 12,
        records: 340,
        meteredNanoUsd: '61356000000',
        subscriptionNanoUsd: '0',
        unknownBillingNanoUsd: '0',
        unpricedRecords: 2,
      },
    ],
  },
);
export type Labelled = AnswerOf<typeof Labelled>;
