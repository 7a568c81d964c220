/** `POST /v1/reprice`: what the same tokens would have cost under the price list in the body. Nothing is changed. */
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import type { RepriceOptions } from '../reprice/reprice.ts';
import { limitMax } from './parameters.ts';
import { readingOf } from './reading.ts';
import { usageParameters } from './usage-query.ts';
import { reportKinds } from './usage-report.ts';

const rowsMax = 10_000;

const Query = Type.Object(
  { ...usageParameters, limit: Type.Optional(Type.Integer({ minimum: 1, maximum: rowsMax, default: limitMax })) },
  { additionalProperties: false },
);
type Query = Static<typeof Query>;

const Body = Type.Record(Type.String(), Type.Unknown(), {
  description: "Prices in the shape of models.dev's api.json: providers by id, their `models` by id, `cost` in USD per million tokens.",
});

const nanoUsd = (description: string) => Type.String({ description: `${description} 10^-9 USD, a decimal string.` });

const figureProperties = {
  billing: Type.Enum(['metered', 'subscription', 'unknown']),
  records: Type.Integer(),
  inputTokens: Type.Integer({ description: 'Without cache.' }),
  outputTokens: Type.Integer(),
  cacheReadTokens: Type.Integer(),
  cacheWriteTokens: Type.Integer(),
  reasoningTokens: Type.Integer({ description: 'Part of outputTokens.' }),
  recordedNanoUsd: nanoUsd('As it was recorded.'),
  unpricedRecords: Type.Integer({ description: 'Recorded without a price.' }),
  unreportedRecords: Type.Integer({ description: 'Failed or aborted attempts whose tokens nobody knows: in no amount.' }),
  repricedNanoUsd: nanoUsd('By the catalogue.'),
  repricedRecords: Type.Integer(),
  leftOutRecords: Type.Integer({ description: 'The catalogue has no price for them: not in repricedNanoUsd.' }),
  comparedRecords: Type.Integer({ description: 'With both prices.' }),
  differenceNanoUsd: nanoUsd('Repriced less recorded, over comparedRecords.'),
};

const Missing = Type.Object({
  provider: Type.String(),
  model: Type.String(),
  records: Type.Integer(),
  reason: Type.Enum(['not_in_catalogue', 'no_price', 'zero_price', 'unknown_tier', 'part_missing']),
});

const Answer = Type.Object({
  by: Type.Enum([...reportKinds]),
  rows: Type.Array(Type.Object(figureProperties), {
    description: 'One for each label and kind of billing; the label stands under the name of `by`.',
  }),
  totals: Type.Array(Type.Object(figureProperties), { description: 'One for each kind of billing.' }),
  missing: Type.Array(Missing, { description: 'Models whose records are left out, and why.' }),
  rowsLeftOut: Type.Integer({ description: 'Beyond `limit`.' }),
  sealedRecords: Type.Integer({ description: 'Of a time whose events were deleted: in the report, and in no figure here.' }),
});

const catalogueBytesMax = 4 * 1024 * 1024;

/** What answers is loaded when it is first asked: a tenth of a report's start. */
export function repriceRoutes(options: RepriceOptions) {
  return async (app: FastifyInstance): Promise<void> => {
    app.post<{ Querystring: Query; Body: unknown }>(
      '/v1/reprice',
      {
        config: { scope: 'read' },
        bodyLimit: catalogueBytesMax,
        schema: {
          summary: 'What it would have cost by another price list',
          tags: ['views'],
          querystring: Query,
          body: Body,
          response: { 200: Answer },
        },
      },
      async (request) => {
        const { answerReprice } = await import('./reprice-answer.ts');
        return answerReprice(options, request.query, request.body, readingOf(request, options.views));
      },
    );
  };
}
