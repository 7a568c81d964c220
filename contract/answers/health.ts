import { Type } from 'typebox';
import { type AnswerOf, OrNull } from './fields.ts';

/** `GET /health/live` */
export const Live = Type.Object(
  { live: Type.Literal(true) },
  { title: 'Live', examples: [{ live: true }] },
);

const View = Type.Object(
  {
    projection: Type.String(),
    position: Type.Integer({ description: 'Log position up to which the view is folded.' }),
    head: Type.Integer({ description: 'Position of the newest event in the log.' }),
    setAside: Type.Object(
      {
        count: Type.Integer(),
        events: Type.Array(
          Type.Object({ position: Type.Integer(), eventId: Type.String(), reason: Type.String() }),
          {
            description: 'The oldest ones.',
          },
        ),
      },
      { description: 'Events of the log that could not be folded into this view.' },
    ),
  },
  { title: 'ViewHealth' },
);

const Subscriber = Type.Object(
  {
    name: Type.String(),
    position: OrNull(Type.Integer(), 'Of the log: it has all up to here. Null: it has not begun.'),
    head: Type.Integer({ description: 'Of the log: its newest event.' }),
    failure: OrNull(Type.String(), 'Why it does not advance; null: it does.'),
    passedOver: Type.Integer({
      description:
        'Events that retention deleted before it read them, since the collector started.',
    }),
    losses: Type.Object(
      {
        rejected: Type.Integer({ description: 'Dropped by the endpoint, which says so.' }),
        refused: Type.Integer({ description: 'The endpoint does not take these.' }),
        message: OrNull(Type.String(), 'What the endpoint said last; null: nothing.'),
      },
      { description: 'What it could not deliver, since the collector started.' },
    ),
  },
  { title: 'SubscriberHealth' },
);

/** `GET /health/ready` */
export const Health = Type.Object(
  {
    ready: Type.Boolean(),
    role: Type.Enum(['leader', 'standby', 'gateway'], {
      description:
        'Standby: another collector writes to the store. ' +
        'This one takes over when that one is gone, and answers 503 to writes until then. ' +
        'Gateway: it hands events on to Kafka, and answers nothing from the ledger.',
    }),
    version: Type.Optional(Type.String()),
    storeId: Type.Optional(
      Type.String({
        description: "Id of this collector's store: another id is another ledger.",
      }),
    ),
    startedAt: Type.Optional(Type.String({ description: 'Of the process. ISO 8601, UTC.' })),
    store: Type.Optional(
      Type.Object({
        kind: Type.String({ description: '`sqlite`, `mongodb`' }),
        bytes: OrNull(Type.Integer(), 'Of its files; null: not known.'),
      }),
    ),
    problems: Type.Optional(Type.Array(Type.String(), { description: 'Why it is not ready.' })),
    warnings: Type.Optional(
      Type.Array(Type.String(), { description: 'Problems that do not prevent readiness.' }),
    ),
    views: Type.Optional(Type.Array(View)),
    subscribers: Type.Optional(
      Type.Array(Subscriber, { description: 'Who is handed the log beside the views.' }),
    ),
  },
  {
    title: 'Health',
    description: 'Without a token, if one is required, only `ready` and `role`.',
    examples: [
      {
        ready: true,
        role: 'leader',
        version: '0.1.0',
        storeId: 'b0a8c6de-6a0e-4c07-9d5e-0a8f7f0d0c11',
        startedAt: '2026-11-22T17:02:11.000Z',
        store: { kind: 'sqlite', bytes: 41_943_040 },
        problems: [],
        warnings: [],
        views: [
          {
            projection: 'sessions',
            position: 1_204,
            head: 1_204,
            setAside: { count: 0, events: [] },
          },
        ],
        subscribers: [],
      },
    ],
  },
);
export type Health = AnswerOf<typeof Health>;

const ViewStanding = Type.Object(
  {
    projection: Type.String(),
    isBehind: Type.Boolean({
      description: 'It lacks events that were acknowledged before this request.',
    }),
    behindSince: OrNull(
      Type.String(),
      'When the first missing event was received; null: none is missing.',
    ),
    setAside: Type.Integer({
      description:
        'Events that could not be folded and are in no figure. ' +
        'Readers with restricted access only see whether there are any: 0 or 1.',
    }),
  },
  { title: 'ViewStanding' },
);

const importing = {
  isRunning: true,
  files: 149,
  filesToRead: 600,
  bytes: 210_000_000,
  bytesToRead: 900_000_000,
  startedAt: '2026-05-01T09:00:00.000Z',
  at: '2026-05-01T09:00:01.000Z',
};

/** An import of session files that is not finished: totals grow until it is. */
export const Importing = Type.Object(
  {
    isRunning: Type.Boolean({ description: 'false: it was interrupted.' }),
    files: Type.Integer({ description: 'Read so far.' }),
    filesToRead: Type.Integer(),
    bytes: Type.Integer({ description: 'Read so far.' }),
    bytesToRead: Type.Integer(),
    startedAt: Type.String(),
    at: Type.String({ description: 'When it had come so far.' }),
  },
  { title: 'Importing', examples: [importing] },
);
export type Importing = AnswerOf<typeof Importing>;

/** What may hold spend and could not be read: missing in every total. */
export const LeftOut = Type.Object(
  {
    files: Type.Integer({ description: 'Session files that have such lines.' }),
    count: Type.Integer({ description: 'Lines, or whole files.' }),
  },
  { title: 'LeftOut', examples: [{ files: 0, count: 0 }] },
);
export type LeftOut = AnswerOf<typeof LeftOut>;

/** `GET /v1/standing`: can answers from the views be trusted now? */
export const Standing = Type.Object(
  {
    trouble: OrNull(
      Type.String(),
      'Why no events are accepted. ' +
        'Readers with restricted access only see that there is a problem.',
    ),
    problem: OrNull(Type.String(), 'Why views do not advance; only for readers with full access.'),
    views: Type.Array(ViewStanding),
    importing: OrNull(
      Importing,
      "An unfinished import on the collector's machine: totals still grow; null: none.",
    ),
    leftOut: LeftOut,
    command: Type.Optional(
      Type.String({
        description:
          "How commands of the collector's installation begin on its machine, in any folder: " +
          '`pi-ledger`, `npx @pi-ledger/collector`. Not told by a collector that requires tokens.',
      }),
    ),
  },
  {
    title: 'Standing',
    examples: [
      {
        trouble: null,
        problem: null,
        views: [{ projection: 'sessions', isBehind: false, behindSince: null, setAside: 0 }],
        importing: null,
        leftOut: { files: 0, count: 0 },
        command: 'pi-ledger',
      },
    ],
  },
);
export type Standing = AnswerOf<typeof Standing>;
