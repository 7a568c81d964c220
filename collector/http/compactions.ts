/** `GET /v1/compactions`, its totals, and `/v1/compactions/{id}`: what each compaction dropped, cost and saved. */
import { compactionColumns } from '@pi-ledger/contract/answers';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Log } from '../log/log.ts';
import { answering, type Reply } from './answering.ts';
import { readContents } from './compaction-contents.ts';
import { toCompactionRow, toFullRow } from './compaction-row.ts';
import { compareRows, type Searched, searchParameters, searchRows } from './compaction-search.ts';
import { totalsBy, totalsOf } from './compaction-totals.ts';
import { findCompaction } from './find-compaction.ts';
import { sendList } from './formats.ts';
import { badCursor, cutPage, decodeCursor, encodeCursor, fitPage } from './page.ts';
import { formatParameter, limitDefault, pageParameters } from './parameters.ts';
import { readingOf } from './reading.ts';

const Query = Type.Object({ ...searchParameters, ...pageParameters, ...formatParameter }, { additionalProperties: false });
type Query = Static<typeof Query>;

export interface CompactionRoutesOptions extends Searched {
  readonly log: Log;
}

export function compactionRoutes(options: CompactionRoutesOptions) {
  const { views, log } = options;
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: Query }>(
      '/v1/compactions',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/compactions', {
          summary: 'Compactions and branch summaries, newest first, with totals',
          description:
            'Also those that failed. A token that sees a part of the ledger sees those of sessions that were within its limit at all times.',
          tags: ['views'],
          querystring: Query,
        }),
      },
      async (request, reply) => {
        const { limit = limitDefault, cursor } = request.query;
        const after = placeOf(cursor);
        const found = await searchRows(options, readingOf(request, views), request.query);
        const rows = found.map(({ row, state }) => toCompactionRow(row, state));
        const rest = after === null ? rows : rows.filter((row) => compareRows(row, after) < 0);
        const cut = cutPage(rest.slice(0, limit + 1), limit, cursorOf);
        const page = fitPage({ ...cut, places: cut.rows }, cursorOf);
        const totals = { total: totalsOf(rows), byProject: totalsBy('project', rows), byModel: totalsBy('model', rows) };
        const answer = { rows: page.rows, ...totals, next: page.next };
        return sendList('GET /v1/compactions', request, reply, { columns: compactionColumns, answer });
      },
    );

    app.get<{ Params: { id: string } } & Reply<'GET /v1/compactions/{id}'>>(
      '/v1/compactions/:id',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/compactions/{id}', {
          summary: 'One compaction, with all that is known of it',
          tags: ['views'],
          params: Type.Object({
            id: Type.String({ minLength: 1, maxLength: 200, description: 'Its id, the beginning of it, or the id of its entry.' }),
          }),
        }),
      },
      async (request) => {
        const { row, state } = await findCompaction(options, readingOf(request, views), request.params.id);
        return toFullRow(row, state, await readContents(log, row));
      },
    );
  };
}

function cursorOf({ time, id }: { readonly time: string; readonly id: string }): string {
  return encodeCursor([time, id]);
}

function placeOf(cursor: string | undefined) {
  const parts = decodeCursor(cursor, 2);
  if (parts === null) return null;
  const [time, id] = parts;
  if (typeof time !== 'string' || typeof id !== 'string') throw badCursor();
  return { time, id };
}
