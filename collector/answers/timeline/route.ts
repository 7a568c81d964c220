/** `GET /v1/sessions/{id}/timeline`: what happened in a session, in one answer. */
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { answering, type Reply } from '../../http/answering.ts';
import type { Searched } from '../compactions/read-rows.ts';
import { visibleTo } from '../views/visible-to.ts';
import { timelineChoices } from './choice.ts';
import { timeline } from './query.ts';

const itemsDefault = 500;
const itemsMax = 5_000;
const Time = Type.String({ maxLength: 40 });

/** `costliest` had this name, which is read until 0.2. */
const formerName = 'dear';

const Query = Type.Object(
  {
    points: Type.Optional(
      Type.Integer({
        minimum: 10,
        maximum: itemsMax,
        default: itemsDefault,
        description: 'The most items; compactions and branch summaries stay even beyond this.',
      }),
    ),
    from: Type.Optional({ ...Time, description: 'Only items from this time on, ISO 8601.' }),
    to: Type.Optional({ ...Time, description: 'Only items before this time, ISO 8601.' }),
    only: Type.Optional(
      Type.Enum([...timelineChoices, formerName], {
        description:
          '`costliest`: the 50 items of each kind of billing that cost most; `failed`: what ' +
          'failed, was tried again or reported nothing; `misses`: answers that missed the cache. ' +
          '`dear` is what `costliest` was called.',
      }),
    ),
  },
  { additionalProperties: false },
);

export function routes(asked: Searched) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<
      {
        Params: { id: string };
        Querystring: Static<typeof Query>;
      } & Reply<'GET /v1/sessions/{id}/timeline'>
    >(
      '/v1/sessions/:id/timeline',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/sessions/{id}/timeline', {
          summary: 'What happened in a session, by time, with its cost so far',
          description:
            'With more items than asked for, neighbours are merged and counted: first answers ' +
            'and calls, then retries, waits and failed calls, then prompts, subagents and ' +
            'failed answers. Costs stay exact. A token with limits sees sessions that were ' +
            'always within its limits.',
          tags: ['views'],
          params: Type.Object({
            id: Type.String({
              minLength: 1,
              maxLength: 200,
              description: 'Its id, the start of its id, or `last`.',
            }),
          }),
          querystring: Query,
        }),
      },
      (request) => {
        const { points = itemsDefault, only, ...period } = request.query;
        return timeline(asked, visibleTo(request, asked), {
          session: request.params.id,
          items: points,
          ...period,
          ...(only === undefined ? {} : { only: only === formerName ? 'costliest' : only }),
        });
      },
    );
  };
}
