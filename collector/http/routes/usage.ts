/** `GET /v1/usage`: what was spent, grouped by one thing and narrowed by any. */
import { figureNames } from '@pi-ledger/contract/answers';
import type { Grouping } from '@pi-ledger/contract/groupings';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { usageReport } from '../../queries/usage.ts';
import {
  compareRows,
  labelled,
  type ReportPosition,
  type ReportRow,
} from '../../queries/usage-report.ts';
import type { UsageViews } from '../../queries/zoned-usage.ts';
import { answering } from '../answering.ts';
import { badCursor, cutPage, decodeCursor, encodeCursor, fitPage } from '../cursor.ts';
import { sendList } from '../formats.ts';
import { formatParameter, limitDefault, pageParameters, timezoneParameter } from '../parameters.ts';
import { groupsVisibleTo, visibleTo } from '../visible-views.ts';
import { usageParameters } from './usage-parameters.ts';

const Query = Type.Object(
  { ...usageParameters, ...timezoneParameter, ...pageParameters, ...formatParameter },
  { additionalProperties: false },
);
type Query = Static<typeof Query>;

export function usageRoutes(asked: UsageViews) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: Query }>(
      '/v1/usage',
      {
        config: { scope: 'read', hidesSmallGroups: true },
        schema: answering('GET /v1/usage', {
          summary: 'What was spent, grouped by one thing',
          tags: ['views'],
          querystring: Query,
        }),
      },
      async (request, reply) => {
        const { by = 'project', limit = limitDefault, cursor } = request.query;
        const visible = visibleTo(request, asked.views);
        const groups = groupsVisibleTo(request, asked.views, visible);
        const { rows, total, treeSizes } = await usageReport(
          { ...asked, views: groups.views },
          visible,
          by,
          request.query,
        );
        const page = cutPage(rowsAfter(by, rows, cursor), limit, cursorOf);
        const all = page.rows.map(({ label, figures }) => ({
          ...labelled(by, label),
          ...(treeSizes === null ? {} : { sessions: treeSizes.get(label) ?? 0 }),
          ...figures,
        }));
        const { rows: shown, next } = fitPage(
          { rows: all, places: page.rows, next: page.next },
          cursorOf,
        );
        return sendList('GET /v1/usage', request, reply, {
          columns: [by, ...(treeSizes === null ? [] : ['sessions']), ...figureNames],
          answer: {
            by,
            rows: shown,
            total,
            ...(groups.left() === 0 ? {} : { leftOutGroups: groups.left() }),
            next,
          },
        });
      },
    );
  };
}

function cursorOf({ cost, tokens, label }: ReportPosition): string {
  return encodeCursor([cost.toString(), tokens.toString(), label]);
}

function rowsAfter(
  by: Grouping,
  rows: readonly ReportRow[],
  cursor: string | undefined,
): readonly ReportRow[] {
  const parts = decodeCursor(cursor, 3);
  if (parts === null) return rows;
  const [cost, tokens, label] = parts;
  const place: ReportPosition = {
    cost: toBigInt(cost),
    tokens: toBigInt(tokens),
    label: String(label),
  };
  return rows.filter((row) => compareRows(by, row, place) > 0);
}

function toBigInt(part: unknown): bigint {
  if (typeof part === 'string' && /^-?\d{1,40}$/.test(part)) return BigInt(part);
  throw badCursor();
}
