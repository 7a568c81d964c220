/** `GET /v1/standing`: whether answers from the views have everything that was acknowledged before. */
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Standing } from '../standing.ts';
import { callerOf } from './access.ts';

const Answer = Type.Object({
  trouble: Type.Union([Type.String(), Type.Null()], {
    description: 'Why nothing is taken in any more. Who may not read all learns only that.',
  }),
  problem: Type.Union([Type.String(), Type.Null()], { description: 'Why views do not advance, for those who may read all.' }),
  views: Type.Array(
    Type.Object({
      projection: Type.String(),
      isBehind: Type.Boolean({ description: 'It lacks what was acknowledged before this question.' }),
      behindSince: Type.Union([Type.String(), Type.Null()], { description: 'When the first event came in that it lacks.' }),
      setAside: Type.Integer({
        description:
          'Events that could not be folded and are in no figure. Who may not read all learns only whether there are any: 0 or 1.',
      }),
    }),
  ),
});

export function standingRoutes(readStanding: () => Promise<Standing>) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get(
      '/v1/standing',
      { config: { scope: 'read' }, schema: { summary: 'Whether the views have everything', tags: ['views'], response: { 200: Answer } } },
      async (request) => {
        const standing = await readStanding();
        if (callerOf(request).reading.is === 'none') return standing;
        const views = standing.views.map((view) => ({ ...view, setAside: Math.min(1, view.setAside) }));
        return { trouble: standing.trouble === null ? null : 'The store is in trouble.', problem: null, views };
      },
    );
  };
}
