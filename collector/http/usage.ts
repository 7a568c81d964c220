/** `GET /v1/usage`: what was spent, by one thing, narrowed by any. */
import { figureNames } from '@pi-ledger/contract/answers';
import type { Grouping } from '@pi-ledger/contract/groupings';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Projection } from '../projections/projection.ts';
import type { SessionState } from '../projections/session/document.ts';
import { usage } from '../projections/usage.ts';
import type { Condition, SumRow, Views } from '../views/views.ts';
import { answering } from './answering.ts';
import { periodConditions } from './conditions.ts';
import { sendList } from './formats.ts';
import { badCursor, cutPage, decodeCursor, encodeCursor, fitPage } from './page.ts';
import { formatParameter, limitDefault, pageParameters, timezoneParameter } from './parameters.ts';
import { readingOf } from './reading.ts';
import { underRoots } from './session-trees.ts';
import { expectTimeZone } from './time-zone.ts';
import { usageFilters, usageParameters } from './usage-query.ts';
import { compareRows, dimensionOf, labelled, makeReport, type ReportRow, type RowPlace } from './usage-report.ts';
import { type Asked, sumInZone } from './zoned-usage.ts';

const Query = Type.Object(
  { ...usageParameters, ...timezoneParameter, ...pageParameters, ...formatParameter },
  { additionalProperties: false },
);
type Query = Static<typeof Query>;

/** `folded`: the projection with the rules that the views are folded with. */
export function usageRoutes(views: Views, folded: Projection<SessionState>) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: Query }>(
      '/v1/usage',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/usage', { summary: 'What was spent, by one thing', tags: ['views'], querystring: Query }),
      },
      async (request, reply) => {
        const { by = 'project', limit = limitDefault, cursor } = request.query;
        const reading = readingOf(request, views);
        const sums = await sum({ views, sessions: folded }, by, request.query, reading.where);
        const trees = by === 'tree' ? await underRoots(reading.views, sums) : null;
        const { rows, total } = makeReport(by, trees?.sums ?? sums);
        const page = cutPage(rowsAfter(by, rows, cursor), limit, cursorOf);
        const all = page.rows.map(({ label, figures }) => ({
          ...labelled(by, label),
          ...(trees === null ? {} : { sessions: trees.sizes.get(label) ?? 0 }),
          ...figures,
        }));
        const { rows: shown, next } = fitPage({ rows: all, places: page.rows, next: page.next }, cursorOf);
        return sendList('GET /v1/usage', request, reply, {
          columns: [by, ...(trees === null ? [] : ['sessions']), ...figureNames],
          answer: { by, rows: shown, total, next },
        });
      },
    );
  };
}

function sum(asked: Asked, by: Grouping, query: Query, limits: readonly Condition[]): Promise<readonly SumRow[]> {
  const filters = [...usageFilters(query), ...limits];
  if (query.timezone !== undefined) return sumInZone(asked, { by, zone: expectTimeZone(query.timezone), filters, period: query });
  const where = [...filters, ...periodConditions(query, { day: 'day', hour: 'hour' })];
  return asked.views.sum(asked.sessions, usage, { by: [dimensionOf(by), 'billing'], where });
}

function cursorOf({ cost, tokens, label }: RowPlace): string {
  return encodeCursor([cost.toString(), tokens.toString(), label]);
}

function rowsAfter(by: Grouping, rows: readonly ReportRow[], cursor: string | undefined): readonly ReportRow[] {
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
