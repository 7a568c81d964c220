import { Type } from 'typebox';
import { RejectionCode } from '../batch.ts';
import { type AnswerOf, Next, OrNull } from './fields.ts';

const deadLetterFields = {
  id: Type.Integer(),
  receivedAt: Type.String({ description: "By the collector's clock." }),
  code: RejectionCode,
  field: Type.String({
    description: 'JSON pointer of the invalid field; empty: the whole event.',
  }),
  message: Type.String(),
  body: Type.String({ description: 'The event as received, truncated if too large.' }),
};

/** The columns of the CSV, in order. */
export const deadLetterColumns: readonly string[] = Object.keys(deadLetterFields);

const letter = {
  id: 7,
  receivedAt: '2026-05-01T09:00:00.000Z',
  code: 'unknown_type',
  field: '/type',
  message: 'This collector does not know pi.turn.imagined.v1.',
  body: '{"type":"pi.turn.imagined.v1"}',
};

const Unread = Type.Array(
  Type.Object({
    after: Type.Integer(),
    before: OrNull(Type.Integer(), 'Null: none after it can be read.'),
  }),
  { description: 'Ids between which no dead letters can be read: a part of the store is damaged.' },
);

const Kept = Type.Integer({
  description: 'They could not be removed: a part of the store beside them is damaged.',
});

const DeadLetter = Type.Object(deadLetterFields, { title: 'DeadLetter', examples: [letter] });
export type DeadLetter = AnswerOf<typeof DeadLetter>;

/** `GET /v1/dead-letters` */
export const DeadLetterList = Type.Object(
  { rows: Type.Array(DeadLetter), unread: Unread, next: Next },
  { title: 'DeadLetterList', examples: [{ rows: [letter], unread: [], next: null }] },
);

/** `POST /v1/dead-letters/remove` */
export const DeadLettersRemoved = Type.Object(
  {
    removed: Type.Integer(),
    unknown: Type.Integer({ description: 'Ids without a dead letter.' }),
    unread: Unread,
    kept: Kept,
  },
  { title: 'DeadLettersRemoved', examples: [{ removed: 4, unknown: 0, unread: [], kept: 0 }] },
);

/** `POST /v1/dead-letters/retry` */
export const DeadLettersRetried = Type.Object(
  {
    accepted: Type.Integer(),
    duplicates: Type.Integer(),
    rejected: Type.Integer({ description: 'Rejected again; they remain dead letters.' }),
    unknown: Type.Integer({ description: 'Ids without a dead letter.' }),
    unread: Unread,
    kept: Kept,
  },
  {
    title: 'DeadLettersRetried',
    examples: [{ accepted: 3, duplicates: 0, rejected: 1, unknown: 0, unread: [], kept: 0 }],
  },
);
