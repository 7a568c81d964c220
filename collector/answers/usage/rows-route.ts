/** `GET /v1/usage/rows`: the rows that sums are made of, for exports. */
import { rowFields } from '@pi-ledger/contract/answers';
import { rowDimensions } from '@pi-ledger/contract/row-dimensions';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { answering } from '../../http/answering.ts';
import { cutPage, decodeCursor, encodeCursor, fitPage } from '../../http/cursor.ts';
import { sendList } from '../../http/formats.ts';
import {
  filterParameters,
  formatParameter,
  limitDefault,
  pageParameters,
  periodParameters,
} from '../../http/parameters.ts';
import type { UsageViews } from '../views/usage-views.ts';
import { visibleTo } from '../views/visible-to.ts';
import { type RowsPosition, usageRows } from './rows.ts';

const Query = Type.Object(
  {
    by: Type.Optional(
      Type.Array(Type.Enum([...rowDimensions]), {
        uniqueItems: true,
        maxItems: rowDimensions.length,
        description: 'A row for each combination of these, day and billing. Repeatable.',
      }),
    ),
    ...filterParameters,
    ...periodParameters,
    ...pageParameters,
    ...formatParameter,
  },
  { additionalProperties: false },
);
type Query = Static<typeof Query>;

export function routes(asked: UsageViews) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: Query }>(
      '/v1/usage/rows',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/usage/rows', {
          summary: 'What was spent, day by day, in rows as fine as asked',
          tags: ['views'],
          querystring: Query,
        }),
      },
      async (request, reply) => {
        const { limit = limitDefault, cursor, by = [] } = request.query;
        const found = await usageRows(
          asked,
          { ...request.query, by },
          visibleTo(request, asked).where,
          { after: positionOf(cursor), limit: limit + 1 },
        );
        const page = cutPage(found, limit, cursorAfter);
        const { rows, next } = await fitPage(
          { rows: page.rows.map(({ row }) => row), places: page.rows, next: page.next },
          cursorAfter,
        );
        const asks = new Set<string>(by);
        return sendList('GET /v1/usage/rows', request, reply, {
          columns: Object.keys(rowFields).filter((name) => !isDimension(name) || asks.has(name)),
          answer: { rows, next },
        });
      },
    );
  };
}

function isDimension(name: string): boolean {
  return rowDimensions.some((dimension) => dimension === name);
}

function cursorAfter({ position: { day, key } }: { readonly position: RowsPosition }): string {
  return encodeCursor([day, key]);
}

function positionOf(cursor: string | undefined): RowsPosition | null {
  const parts = decodeCursor(cursor, 2);
  return parts === null ? null : { day: String(parts[0]), key: String(parts[1]) };
}
