import { Type } from 'typebox';
import { type AnswerOf, OrNull } from './fields.ts';

const example = {
  at: '2026-11-22T20:14:07.112Z',
  isExplained: true,
  files: 739,
  sessions: 739,
  records: 30_558,
  reasons: [
    {
      reason: 'copied',
      isExplained: true,
      sentence: 'Copied entries (fork, clone) count in the session that made them.',
      sessions: 9,
      count: 214,
    },
  ],
};

const Reason = Type.Object(
  {
    reason: Type.String({ maxLength: 100 }),
    isExplained: Type.Boolean({ description: 'false: a fault; something is wrong.' }),
    sentence: Type.String({ maxLength: 500, description: 'What it means, for people.' }),
    sessions: Type.Integer({ minimum: 0, description: 'In how many sessions; 0: in none.' }),
    count: Type.Integer({ minimum: 0, description: 'Records, lines or what else it is about.' }),
  },
  { title: 'ReconciledReason', additionalProperties: false },
);

/** What `pi-ledger reconcile` came to: the body of `POST /v1/reconciliation`, too. */
export const Reconciled = Type.Object(
  {
    at: Type.String({ maxLength: 40, description: 'When it ended. ISO 8601, UTC.' }),
    isExplained: Type.Boolean({
      description: 'Files, log and views agree; differences have reasons.',
    }),
    files: Type.Integer({ minimum: 0 }),
    sessions: Type.Integer({ minimum: 0 }),
    records: Type.Integer({ minimum: 0, description: 'Of the views.' }),
    reasons: Type.Array(Reason, { maxItems: 100, description: 'Faults first.' }),
  },
  { title: 'Reconciled', additionalProperties: false, examples: [example] },
);
export type Reconciled = AnswerOf<typeof Reconciled>;

/** `GET /v1/reconciliation` */
export const LastReconciliation = Type.Object(
  {
    last: OrNull(Reconciled, 'The newest; null: none yet, or the reader sees only a part.'),
  },
  { title: 'LastReconciliation', examples: [{ last: example }] },
);
