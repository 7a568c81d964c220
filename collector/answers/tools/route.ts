/** `GET /v1/tools`, and below: how often tools are called, how fast they are, what that costs. */
import { toolColumns, toolCostColumns, toolModelColumns } from '@pi-ledger/contract/answers';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { answering } from '../../http/answering.ts';
import { badCursor, type CursorPart, decodeCursor, encodeCursor } from '../../http/cursor.ts';
import { sendList } from '../../http/formats.ts';
import { viewsVisibleTo } from '../../http/visible-views.ts';
import type { ViewsReader } from '../../views/views.ts';
import { hiddenIn } from '../spend/shown-names.ts';
import { countPosition, ModelsQuery, pageOf, timingParameters } from '../timings/list-routes.ts';
import {
  compareToolModels,
  type ToolModelKey,
  type ToolModelLine,
  toolCostReport,
  toolModelReport,
} from './models-query.ts';
import { compareTools, type ToolLine, toolReport } from './query.ts';

const ToolsQuery = Type.Object(timingParameters, { additionalProperties: false });

export function routes({ views }: { readonly views: ViewsReader }) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: Static<typeof ToolsQuery> }>(
      '/v1/tools',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/tools', {
          summary: 'Tools: calls, failures, durations, size of results',
          tags: ['views'],
          querystring: ToolsQuery,
        }),
      },
      async (request, reply) => {
        const visible = viewsVisibleTo(request, views);
        const { rows, total, hidden } = await toolReport(visible, request.query);
        const page = await toolPage(rows, request.query);
        const answer = { rows: page.rows, total, ...hiddenIn(hidden.size), next: page.next };
        return sendList('GET /v1/tools', request, reply, { columns: toolColumns, answer });
      },
    );

    app.get<{ Querystring: Static<typeof ModelsQuery> }>(
      '/v1/tools/costs',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/tools/costs', {
          summary: 'Tools: what the answers that asked for their calls cost',
          tags: ['views'],
          querystring: ModelsQuery,
        }),
      },
      async (request, reply) => {
        const report = await toolCostReport(viewsVisibleTo(request, views), request.query);
        const page = await toolPage(report.rows, request.query);
        const hidden = hiddenIn(report.hidden.size);
        const answer = { rows: page.rows, total: report.total, ...hidden, next: page.next };
        return sendList('GET /v1/tools/costs', request, reply, {
          columns: toolCostColumns,
          answer,
        });
      },
    );

    app.get<{ Querystring: Static<typeof ModelsQuery> }>(
      '/v1/tools/models',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/tools/models', {
          summary: 'What models asked of tools, and what the answers that did cost',
          tags: ['views'],
          querystring: ModelsQuery,
        }),
      },
      async (request, reply) => {
        const visible = viewsVisibleTo(request, views);
        const { lines, total, hiddenCount } = await toolModelReport(visible, request.query);
        const after = toolModelPosition(decodeCursor(request.query.cursor, 4));
        const rest =
          after === null ? lines : lines.filter(({ key }) => compareToolModels(key, after) > 0);
        const cursorOf = ({ key }: ToolModelLine) => encodeCursor(key);
        const page = await pageOf(rest, request.query.limit, cursorOf, ({ row }) => row());
        const answer = { rows: page.rows, total, ...hiddenIn(hiddenCount), next: page.next };
        return sendList('GET /v1/tools/models', request, reply, {
          columns: toolModelColumns,
          answer,
        });
      },
    );
  };
}

/** `rows` are sorted by `compareTools`. */
function toolPage<Row>(
  rows: readonly (Pick<ToolLine, 'tool' | 'calls'> & { row(): Row })[],
  { cursor, limit }: Pick<Static<typeof ToolsQuery>, 'cursor' | 'limit'>,
) {
  const after = countPosition(decodeCursor(cursor, 2));
  const last = after === null ? null : { calls: after.count, tool: after.name };
  const rest = last === null ? rows : rows.filter((row) => compareTools(row, last) > 0);
  const cursorOf = ({ calls, tool }: Pick<ToolLine, 'tool' | 'calls'>) =>
    encodeCursor([calls, tool]);
  return pageOf(rest, limit, cursorOf, ({ row }) => row());
}

function toolModelPosition(parts: readonly CursorPart[] | null): ToolModelKey | null {
  if (parts === null) return null;
  const [calls, ...names] = parts;
  if (typeof calls !== 'number') throw badCursor();
  const [tool, provider, model] = names.map(String);
  return [calls, tool ?? '', provider ?? '', model ?? ''];
}
