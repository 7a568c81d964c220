/**
 * `GET /v1/insights`: what changed and what it cost. `POST /v1/insights/{id}/hidden` switches one
 * off, for everybody who asks this collector.
 */
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { answering, type Reply } from '../../http/answering.ts';
import { filterParameters, labelParameter } from '../../http/parameters.ts';
import { ofAudits } from '../compactions/audits/changes.ts';
import { createRemembered } from '../views/remembered.ts';
import { visibleTo } from '../views/visible-to.ts';
import type { FoundInsights, InsightsAsked } from './query.ts';

export interface InsightsRoutesOptions extends Omit<InsightsAsked, 'remembered'> {
  readonly now: () => number;
  readonly hidden: {
    read(): ReadonlySet<string>;
    hide(id: string, isHidden: boolean): ReadonlySet<string>;
  };
}

const { project, user, provider, model, host } = filterParameters;
const filters = { project, user, provider, model, host };
const rowsDefault = 10;
const rowsMax = 100;

const Query = Type.Object(
  {
    since: Type.Optional(
      Type.String({
        maxLength: 40,
        description: "The first day, in the spender's zone; default: 30 days before the last.",
      }),
    ),
    until: Type.Optional(
      Type.String({
        maxLength: 40,
        description:
          'The last day, included; default: today, which is compared until the same hour.',
      }),
    ),
    ...filters,
    ...labelParameter,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: rowsMax,
        default: rowsDefault,
        description: 'The most of each billing.',
      }),
    ),
    hidden: Type.Optional(Type.Enum(['exclude', 'include'], { default: 'exclude' })),
    id: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{8}$',
        description: 'Only this one, hidden or not, with all its rows.',
      }),
    ),
  },
  { additionalProperties: false },
);
type Query = Static<typeof Query>;

const Params = Type.Object({ id: Type.String({ pattern: '^[0-9a-f]{8}$' }) });
const Body = Type.Object({ hidden: Type.Boolean() }, { additionalProperties: false });

/** The query is loaded on first use. */
export function routes({ now, hidden, ...sources }: InsightsRoutesOptions) {
  const { views } = sources;
  const remembered = createRemembered<FoundInsights>({ views, now, of: ofAudits });
  const asked = { ...sources, remembered };
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: Query } & Reply<'GET /v1/insights'>>(
      '/v1/insights',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/insights', {
          summary: 'What changed and what it cost, with the rows behind it',
          description:
            'Every number is a query. Two insights may be about the same money: amounts are ' +
            'never added up.',
          tags: ['views'],
          querystring: Query,
        }),
      },
      async (request) => {
        const { findInsights } = await import('./query.ts');
        const { limit = rowsDefault, hidden: which = 'exclude', id, ...query } = request.query;
        const { since, until, ...narrowed } = query;
        return findInsights(asked, visibleTo(request, asked), {
          ...(since === undefined ? {} : { since }),
          ...(until === undefined ? {} : { until }),
          ...(id === undefined ? {} : { id }),
          filters: narrowed,
          limit,
          nowMs: now(),
          hidden: hidden.read(),
          withHidden: which === 'include',
        });
      },
    );

    app.post<
      {
        Params: Static<typeof Params>;
        Body: Static<typeof Body>;
      } & Reply<'POST /v1/insights/{id}/hidden'>
    >(
      '/v1/insights/:id/hidden',
      {
        config: { scope: 'admin' },
        schema: answering('POST /v1/insights/{id}/hidden', {
          summary: 'Hide an insight, or show it again',
          tags: ['views'],
          params: Params,
          body: Body,
        }),
      },
      async ({ params, body }) => ({ hidden: [...hidden.hide(params.id, body.hidden)] }),
    );
  };
}
