import { Type } from 'typebox';
import type { AnswerOf } from './fields.ts';

const One = Type.Object(
  {
    ask: Type.String({ description: 'As asked.' }),
    status: Type.Integer({ description: 'As of the route itself.' }),
    body: Type.Unknown({ description: "The route's answer, or its error." }),
  },
  { title: 'OneOfSeveral' },
);

/** `GET /v1/answers` */
export const Several = Type.Object(
  { answers: Type.Array(One, { description: 'In the order of the asks.' }) },
  {
    title: 'Several',
    examples: [
      {
        answers: [
          {
            ask: '/v1/standing',
            status: 200,
            body: {
              ...{ trouble: null, problem: null, views: [], importing: null },
              leftOut: { files: 0, count: 0 },
            },
          },
        ],
      },
    ],
  },
);
export type Several = AnswerOf<typeof Several>;
