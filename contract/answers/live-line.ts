import { Type } from 'typebox';
import { type AnswerOf, TextOrNull } from './fields.ts';

/** A line of `GET /v1/live` */
export const LiveLine = Type.Object(
  {
    position: Type.Integer({ description: 'Every view has the log up to here.' }),
    sessions: Type.Optional(
      Type.Array(Type.Object({ id: Type.String(), project: TextOrNull }), {
        description: 'That changed since the line before; absent: nothing did.',
      }),
    ),
    more: Type.Optional(
      Type.Boolean({ description: 'Others changed, too; absent with `sessions`.' }),
    ),
  },
  {
    title: 'LiveLine',
    description: 'Each is a line of JSON. The first says where the views stand.',
    examples: [
      {
        position: 67_941,
        sessions: [{ id: '019a0040-0000-7000-8000-000000000040', project: 'shop' }],
        more: false,
      },
    ],
  },
);
export type LiveLine = AnswerOf<typeof LiveLine>;
