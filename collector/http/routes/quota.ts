/** `GET /v1/quota`: what subscriptions used of their windows. */
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { OwnLimits } from '../../queries/quota/limits.ts';
import { quotaWindows } from '../../queries/quota/quota.ts';
import type { UsageViews } from '../../queries/zoned-usage.ts';
import { answering, type Reply } from '../answering.ts';
import { visibleTo } from '../visible-views.ts';

export interface QuotaRoutesOptions extends UsageViews {
  /** The user's own. */
  readonly limits: OwnLimits;
  readonly now: () => number;
}

export function quotaRoutes({ limits, now, ...asked }: QuotaRoutesOptions) {
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
      (request) => quotaWindows(asked, visibleTo(request, asked.views), { limits, nowMs: now() }),
    );
  };
}
