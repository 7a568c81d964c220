import { Type } from 'typebox';
import { type AnswerOf, Next, TextOrNull } from './fields.ts';

const producerFields = {
  source: Type.String({ description: '`/producers/<uuid>` (one process) or `/importers/<name>`.' }),
  user: TextOrNull,
  machine: TextOrNull,
  host: TextOrNull,
  hostVersion: TextOrNull,
  producerVersion: TextOrNull,
  firstSeenAt: Type.String(),
  lastSeenAt: Type.String(),
  lastReceivedAt: Type.String({ description: "By the collector's clock." }),
  lagMs: Type.Integer({ description: "Between the newest event's time and its receipt." }),
  events: Type.Integer(),
  missing: Type.Integer({
    description: 'Sequence numbers not received: lost after the spool, or still on their way.',
  }),
  gaps: Type.Array(Type.Array(Type.Integer()), {
    description: 'The first 100 gaps, as inclusive ranges.',
  }),
  dropped: Type.Object(
    {
      spoolFull: Type.Integer(),
      spoolUnwritable: Type.Integer(),
      eventTooLarge: Type.Integer(),
      recordFailed: Type.Integer(),
    },
    { description: 'Events it could not record, by reason, since its process started.' },
  ),
};

/** The columns of the CSV, in order. */
export const producerColumns: readonly string[] = Object.keys(producerFields);

const producer = {
  source: '/producers/3b0f3c5e-64a4-4f0e-9c0b-2f8d3a1c9e77',
  user: 'ada',
  machine: 'laptop',
  host: 'pi',
  hostVersion: '1.5.2',
  producerVersion: '0.1.0',
  firstSeenAt: '2026-05-01T09:00:00.000Z',
  lastSeenAt: '2026-05-01T09:41:12.000Z',
  lastReceivedAt: '2026-05-01T09:41:12.310Z',
  lagMs: 310,
  events: 214,
  missing: 0,
  gaps: [],
  dropped: { spoolFull: 0, spoolUnwritable: 0, eventTooLarge: 0, recordFailed: 0 },
};

const Producer = Type.Object(producerFields, { title: 'Producer', examples: [producer] });
export type Producer = AnswerOf<typeof Producer>;

/** `GET /v1/producers` */
export const ProducerList = Type.Object(
  { rows: Type.Array(Producer), next: Next },
  { title: 'ProducerList', examples: [{ rows: [producer], next: null }] },
);
