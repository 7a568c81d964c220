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
    position: Type.Integer({ description: 'Of the log: up to here it is folded.' }),
    head: Type.Integer({ description: 'Of the log: its newest event.' }),
    setAside: Type.Object(
      {
        count: Type.Integer(),
        events: Type.Array(
          Type.Object({ position: Type.Integer(), eventId: Type.String(), reason: Type.String() }),
          {
            description: 'The oldest of them.',
          },
        ),
      },
      { description: 'Events of the log that could not be folded into this view.' },
    ),
  },
  { title: 'ViewHealth' },
);

/** `GET /health/ready` */
export const Health = Type.Object(
  {
    ready: Type.Boolean(),
    role: Type.Enum(['leader', 'standby'], {
      description:
        'Standby: another collector writes to the store; this one takes over when that is gone, and answers 503 to writes until then.',
    }),
    version: Type.Optional(Type.String()),
    storeId: Type.Optional(
      Type.String({
        description: 'Of the store behind this collector: another one is another ledger.',
      }),
    ),
    problems: Type.Optional(Type.Array(Type.String(), { description: 'Why it is not ready.' })),
    warnings: Type.Optional(
      Type.Array(Type.String(), { description: 'What is wrong with it all the same.' }),
    ),
    views: Type.Optional(Type.Array(View)),
  },
  {
    title: 'Health',
    description: 'Without a token, where one is asked for, no more than `ready` and `role`.',
    examples: [
      {
        ready: true,
        role: 'leader',
        version: '0.1.0',
        storeId: 'b0a8c6de-6a0e-4c07-9d5e-0a8f7f0d0c11',
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
      },
    ],
  },
);
export type Health = AnswerOf<typeof Health>;

const ViewStanding = Type.Object(
  {
    projection: Type.String(),
    isBehind: Type.Boolean({ description: 'It lacks what was acknowledged before this question.' }),
    behindSince: OrNull(
      Type.String(),
      'When the first event came in that it lacks; null: it has all of them.',
    ),
    setAside: Type.Integer({
      description:
        'Events that could not be folded and are in no figure. Who may not read all learns only whether there are any: 0 or 1.',
    }),
  },
  { title: 'ViewStanding' },
);

/** `GET /v1/standing`: may answers from the views be trusted now? */
export const Standing = Type.Object(
  {
    trouble: OrNull(
      Type.String(),
      'Why nothing is taken in any more. Who may not read all learns only that.',
    ),
    problem: OrNull(Type.String(), 'Why views do not advance, for those who may read all.'),
    views: Type.Array(ViewStanding),
  },
  {
    title: 'Standing',
    examples: [
      {
        trouble: null,
        problem: null,
        views: [{ projection: 'sessions', isBehind: false, behindSince: null, setAside: 0 }],
      },
    ],
  },
);
export type Standing = AnswerOf<typeof Standing>;
