import { Type } from 'typebox';
import { type AnswerOf, NanoUsd } from './fields.ts';

const Without = Type.Object(
  {
    unpricedRecords: Type.Integer({ description: 'Without a price: not in the amount.' }),
    unreportedRecords: Type.Integer({ description: 'Attempts whose spend is unknown.' }),
  },
  { title: 'LabelledWithout', description: 'What the amount of one kind of billing leaves out.' },
);
const nothing = { unpricedRecords: 0, unreportedRecords: 0 };

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
    byBilling: Type.Object({ metered: Without, subscription: Without, unknown: Without }),
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
        byBilling: {
          metered: { unpricedRecords: 2, unreportedRecords: 0 },
          subscription: nothing,
          unknown: nothing,
        },
      },
    ],
  },
);
export type Labelled = AnswerOf<typeof Labelled>;
