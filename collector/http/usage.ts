/** `GET /v1/usage`: what was spent, by one thing, narrowed by any. */
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { sessions } from '../projections/sessions.ts';
import { usage } from '../projections/usage.ts';
import type { Views } from '../views/views.ts';
import { filterConditions, periodConditions } from './conditions.ts';
import { sendList } from './formats.ts';
import { badCursor, cutPage, decodeCursor, encodeCursor } from './page.ts';
import { type Filters, filterParameters, formatParameter, limitDefault, Next, pageParameters, periodParameters } from './parameters.ts';
import {
  compareRows,
  dimensionOf,
  figureNames,
  makeReport,
  type ReportKind,
  type ReportRow,
  type RowPlace,
  reportKinds,
} from './usage-report.ts';

const Query = Type.Object(
  {
    by: Type.Optional(Type.Enum([...reportKinds], { default: 'project' })),
    session: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: 100, description: 'Only these sessions.' }),
    ),
    ...filterParameters,
    ...periodParameters,
    ...pageParameters,
    ...formatParameter,
  },
  { additionalProperties: false },
);

const nanoUsd = Type.String({ description: '10^-9 USD, a decimal string' });

export const figureProperties = {
  records: Type.Integer({ description: 'Every usage-bearing entry once, unreported ones included.' }),
  inputTokens: Type.Integer({ description: 'Without cache.' }),
  outputTokens: Type.Integer(),
  cacheReadTokens: Type.Integer(),
  cacheWriteTokens: Type.Integer(),
  reasoningTokens: Type.Integer({ description: 'Part of outputTokens.' }),
  meteredNanoUsd: nanoUsd,
  subscriptionNanoUsd: Type.String({ description: 'As meteredNanoUsd; a list-price equivalent, not a bill.' }),
  unknownBillingNanoUsd: nanoUsd,
  unpricedRecords: Type.Integer({ description: 'Reported, but without a price: not in the amounts.' }),
  unreportedRecords: Type.Integer({ description: 'Failed or aborted attempts whose spend is unknown. Not free.' }),
};

const Answer = Type.Object({
  by: Type.Enum([...reportKinds]),
  rows: Type.Array(Type.Object(figureProperties), {
    description:
      'Each with a field named as `by` (null: unknown). Sorted by cost, then tokens; days, weeks (`2026-W47`) and months in time.',
  }),
  total: Type.Object(figureProperties, { description: 'Of all rows, not of this page.' }),
  next: Next,
});

export function usageRoutes(views: Views) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: Static<typeof Query> }>(
      '/v1/usage',
      { schema: { summary: 'What was spent, by one thing', tags: ['views'], querystring: Query, response: { 200: Answer } } },
      async (request, reply) => {
        const { by = 'project', limit = limitDefault, cursor } = request.query;
        const where = usageConditions(request.query);
        const sums = await views.sum(sessions, usage, { by: [dimensionOf(by), 'billing'], where });
        const { rows, total } = makeReport(by, sums);
        const page = cutPage(rowsAfter(by, rows, cursor), limit, (last) =>
          encodeCursor([last.cost.toString(), last.tokens.toString(), last.label]),
        );
        const shown = page.rows.map(({ label, figures }) => ({ [by]: label === '' ? null : label, ...figures }));
        return sendList(request, reply, {
          columns: [by, ...figureNames],
          rows: shown,
          next: page.next,
          json: { by, rows: shown, total, next: page.next },
        });
      },
    );
  };
}

const usageColumns = {
  project: 'project',
  branch: 'branch',
  user: 'user',
  machine: 'machine',
  host: 'host',
  provider: 'provider',
  model: 'model',
  kind: 'kind',
} as const satisfies { [name in keyof Filters]: string };

function usageConditions(query: Static<typeof Query>) {
  const { session } = query;
  const sessionCondition = session === undefined ? [] : [{ column: 'session', is: 'in' as const, values: session }];
  return [...filterConditions(query, usageColumns), ...sessionCondition, ...periodConditions(query, { day: 'day', hour: 'hour' })];
}

function rowsAfter(by: ReportKind, rows: readonly ReportRow[], cursor: string | undefined): readonly ReportRow[] {
  const parts = decodeCursor(cursor, 3);
  if (parts === null) return rows;
  const [cost, tokens, label] = parts;
  const place: RowPlace = { cost: toBigInt(cost), tokens: toBigInt(tokens), label: String(label) };
  return rows.filter((row) => compareRows(by, row, place) > 0);
}

function toBigInt(part: unknown): bigint {
  if (typeof part === 'string' && /^-?\d{1,40}$/.test(part)) return BigInt(part);
  throw badCursor();
}
