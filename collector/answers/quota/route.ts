/** `GET /v1/quota`: what subscriptions used of their windows, and `/history` over days. */
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { answering, type Reply } from '../../http/answering.ts';
import { createRemembered } from '../views/remembered.ts';
import type { UsageViews } from '../views/usage-views.ts';
import { visibleTo } from '../views/visible-to.ts';
import { ofHistory, quotaHistory, type RememberedHistory } from './history.ts';
import type { OwnLimits } from './limits.ts';
import { quotaWindows } from './query.ts';

export interface QuotaRoutesOptions extends UsageViews {
  /** The user's own. */
  readonly limits: OwnLimits;
  readonly now: () => number;
}

const HistoryQuery = Type.Object(
  {
    since: Type.Optional(
      Type.String({ maxLength: 40, description: 'The first day, UTC; default: 30 days.' }),
    ),
    until: Type.Optional(
      Type.String({ maxLength: 40, description: 'The last day, UTC; default: today.' }),
    ),
    by: Type.Optional(Type.Enum(['user'], { description: 'A row for each user.' })),
  },
  { additionalProperties: false },
);

export function routes({ limits, now, ...asked }: QuotaRoutesOptions) {
  const { views } = asked;
  const histories = createRemembered<RememberedHistory>({ views, now, of: ofHistory });
  return async (app: FastifyInstance): Promise<void> => {
    app.get<Reply<'GET /v1/quota'>>(
      '/v1/quota',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/quota', {
          summary: 'What subscriptions used of their windows',
          description:
            'As the provider told it, else by your own limits (`quota` in `config.json`) and ' +
            "this ledger's sum.",
          tags: ['views'],
          querystring: Type.Object({}, { additionalProperties: false }),
        }),
      },
      (request) => quotaWindows(asked, visibleTo(request, asked), { limits, nowMs: now() }),
    );

    app.get<{ Querystring: Static<typeof HistoryQuery> } & Reply<'GET /v1/quota/history'>>(
      '/v1/quota/history',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/quota/history', {
          summary: "How much of plans' windows was used over days",
          description:
            'As providers told it in sessions: what other programs used is in it. Your own ' +
            'limits are not.',
          tags: ['views'],
          querystring: HistoryQuery,
        }),
      },
      (request) => {
        const { by, ...period } = request.query;
        return quotaHistory({ views, histories }, visibleTo(request, asked), {
          ...period,
          byUser: by === 'user',
          nowMs: now(),
        });
      },
    );
  };
}
