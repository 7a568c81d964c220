import { Type } from 'typebox';
import { type AnswerOf, NanoUsd, TextOrNull } from './fields.ts';

/** `POST /v1/withdrawals` */
export const Withdrawn = Type.Object(
  {
    events: Type.Integer({ description: 'Events that count no longer; 0: nothing was written.' }),
    sessions: Type.Integer({ description: 'Sessions that they are of.' }),
    nanoUsd: NanoUsd('What they say was spent, whatever its billing.'),
    firstAt: TextOrNull,
    lastAt: TextOrNull,
    withoutToken: Type.Integer({
      description:
        'For a token: events of the same time that do not say which token sent them. They were ' +
        'recorded by an earlier version, or sent without one.',
    }),
    sealedBefore: Type.Union([Type.String(), Type.Null()], {
      description:
        'What happened before is sealed and stays counted. For a token, the log no longer tells ' +
        'how much of it was sent with that.',
    }),
    sealedSessions: Type.Integer({
      description: 'For a token: those of the sessions of which a sealed part stays counted.',
    }),
  },
  {
    title: 'Withdrawn',
    description: 'The views are folded anew without these events; until that is done, they count.',
    examples: [
      {
        events: 12,
        sessions: 1,
        nanoUsd: '200000000000',
        firstAt: '2026-11-27T09:00:00.000Z',
        lastAt: '2026-11-27T09:30:00.000Z',
        withoutToken: 0,
        sealedBefore: null,
        sealedSessions: 0,
      },
    ],
  },
);
export type Withdrawn = AnswerOf<typeof Withdrawn>;

/** `GET /v1/withdrawals` */
export const WithdrawalList = Type.Object(
  {
    rows: Type.Array(
      Type.Object({
        at: Type.String(),
        events: Type.Array(Type.String(), { description: 'Ids.' }),
        session: TextOrNull,
        token: TextOrNull,
        since: TextOrNull,
        until: TextOrNull,
        reason: Type.String(),
        by: Type.Union([Type.String(), Type.Null()], {
          description: 'The user of the token; null: a command of the collector’s own machine.',
        }),
      }),
    ),
    next: Type.Null(),
  },
  {
    title: 'WithdrawalList',
    examples: [
      {
        rows: [
          {
            at: '2026-11-28T09:00:00.000Z',
            events: [],
            session: '01a1fff5-4e98-7558-86d4-eb9c5b8bce66',
            token: null,
            since: null,
            until: null,
            reason: 'made up',
            by: 'ada',
          },
        ],
        next: null,
      },
    ],
  },
);
export type WithdrawalList = AnswerOf<typeof WithdrawalList>;
