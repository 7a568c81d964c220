/** `GET /v1/usage`: what was spent, by one thing, narrowed by any. */
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Projection } from '../projections/projection.ts';
import type { SessionState } from '../projections/session/document.ts';
import { usage } from '../projections/usage.ts';
import type { Condition, SumRow, Views } from '../views/views.ts';
import { periodConditions } from './conditions.ts';
import { sendList } from './formats.ts';
import { badCursor, cutPage, decodeCursor, encodeCursor, fitPage } from './page.ts';
import { formatParameter, limitDefault, Next, pageParameters, timezoneParameter } from './parameters.ts';
import { readingOf } from './reading.ts';
import { underRoots } from './session-trees.ts';
import { expectTimeZone } from './time-zone.ts';
import { usageFilters, usageParameters } from './usage-query.ts';
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
import { type Asked, sumInZone } from './zoned-usage.ts';

const Query = Type.Object(
  { ...usageParameters, ...timezoneParameter, ...pageParameters, ...formatParameter },
  { additionalProperties: false },
);
type Query = Static<typeof Query>;

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
  unreportedTokensMax: Type.Integer({ description: 'An upper estimate for those, as far as one is possible. In no other figure.' }),
  unreportedNanoUsdMax: Type.String({ description: 'As unreportedTokensMax, in 10^-9 USD, a decimal string.' }),
};

const Answer = Type.Object({
  by: Type.Enum([...reportKinds]),
  rows: Type.Array(Type.Object(figureProperties), {
    description:
      'Each with a field named as `by` (null: unknown; a tree has the id of its root session, and `sessions`: how many of it are in the row). Sorted by cost, then tokens; days, weeks (`2026-W47`) and months in time.',
  }),
  total: Type.Object(figureProperties, { description: 'Of all rows, not of this page.' }),
  next: Next,
});

/** `folded`: the projection with the rules that the views are folded with. */
export function usageRoutes(views: Views, folded: Projection<SessionState>) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: Static<typeof Query> }>(
      '/v1/usage',
      {
        config: { scope: 'read' },
        schema: { summary: 'What was spent, by one thing', tags: ['views'], querystring: Query, response: { 200: Answer } },
      },
      async (request, reply) => {
        const { by = 'project', limit = limitDefault, cursor } = request.query;
        const reading = readingOf(request, views);
        const sums = await sum({ views, sessions: folded }, by, request.query, reading.where);
        const trees = by === 'tree' ? await underRoots(reading.views, sums) : null;
        const { rows, total } = makeReport(by, trees?.sums ?? sums);
        const page = cutPage(rowsAfter(by, rows, cursor), limit, cursorOf);
        const all = page.rows.map(({ label, figures }) => ({
          [by]: label === '' ? null : label,
          ...(trees === null ? {} : { sessions: trees.sizes.get(label) }),
          ...figures,
        }));
        const { rows: shown, next } = fitPage({ rows: all, places: page.rows, next: page.next }, cursorOf);
        return sendList(request, reply, {
          columns: [by, ...(trees === null ? [] : ['sessions']), ...figureNames],
          rows: shown,
          next,
          json: { by, rows: shown, total, next },
        });
      },
    );
  };
}

function sum(asked: Asked, by: ReportKind, query: Query, limits: readonly Condition[]): Promise<readonly SumRow[]> {
  const filters = [...usageFilters(query), ...limits];
  if (query.timezone !== undefined) return sumInZone(asked, { by, zone: expectTimeZone(query.timezone), filters, period: query });
  const where = [...filters, ...periodConditions(query, { day: 'day', hour: 'hour' })];
  return asked.views.sum(asked.sessions, usage, { by: [dimensionOf(by), 'billing'], where });
}

function cursorOf({ cost, tokens, label }: RowPlace): string {
  return encodeCursor([cost.toString(), tokens.toString(), label]);
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
