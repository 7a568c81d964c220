/** `GET /v1/models`, `/v1/tools`, `/v1/runs`, and below: how fast and how reliably they worked. */
import {
  modelColumns,
  modelDayColumns,
  runFigureColumns,
  runGroupings,
  toolColumns,
  toolModelColumns,
} from '@pi-ledger/contract/answers';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { compareModels, type ModelPosition, modelReport } from '../../queries/timings/models.ts';
import { compareRuns, runReport } from '../../queries/timings/runs.ts';
import {
  compareModelDays,
  type ModelDayKey,
  type ModelDayLine,
  modelDays,
} from '../../queries/timings/speed.ts';
import {
  compareToolModels,
  type ToolModelKey,
  type ToolModelLine,
  toolModelReport,
} from '../../queries/timings/tool-models.ts';
import { compareTools, toolReport } from '../../queries/timings/tools.ts';
import type { ViewsReader } from '../../views/views.ts';
import { answering } from '../answering.ts';
import {
  amountIn,
  badCursor,
  type CursorPart,
  cutPage,
  decodeCursor,
  encodeCursor,
  fitPage,
} from '../cursor.ts';
import { sendList } from '../formats.ts';
import { filterParameters, formatParameter, limitDefault, pageParameters } from '../parameters.ts';
import { visibleTo } from '../visible-views.ts';

const { project, user, host, provider, model } = filterParameters;
const Day = Type.Optional(
  Type.String({
    maxLength: 40,
    description: 'A day (`2026-11-22`), inclusive, in the zone of whoever worked.',
  }),
);
const shared = {
  project,
  user,
  host,
  since: Day,
  until: Day,
  ...pageParameters,
  ...formatParameter,
};
const closed = { additionalProperties: false };
const ModelsQuery = Type.Object({ ...shared, provider, model }, closed);
const ToolsQuery = Type.Object(shared, closed);
const RunsQuery = Type.Object(
  { by: Type.Optional(Type.Enum([...runGroupings], { default: 'project' })), ...shared },
  closed,
);

export function timingRoutes(views: ViewsReader) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: Static<typeof ModelsQuery> }>(
      '/v1/models',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/models', {
          summary: 'Models: cost, durations, errors and retries',
          description: 'Costs are of all spend on a model, durations of its answers.',
          tags: ['views'],
          querystring: ModelsQuery,
        }),
      },
      async (request, reply) => {
        const { rows, total } = await modelReport(visibleTo(request, views).views, request.query);
        const after = modelPosition(decodeCursor(request.query.cursor, 4));
        const rest = after === null ? rows : rows.filter((row) => compareModels(row, after) > 0);
        const cursorOf = ({ cost, tokens, ...names }: ModelPosition) =>
          encodeCursor([String(cost), String(tokens), names.provider, names.model]);
        const page = pageOf(rest, request.query.limit, cursorOf, ({ row }) => row);
        const answer = { rows: page.rows, total, next: page.next };
        return sendList('GET /v1/models', request, reply, { columns: modelColumns, answer });
      },
    );

    app.get<{ Querystring: Static<typeof ModelsQuery> }>(
      '/v1/models/days',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/models/days', {
          summary: 'Models day by day: attempts and how fast they answered',
          tags: ['views'],
          querystring: ModelsQuery,
        }),
      },
      async (request, reply) => {
        const lines = await modelDays(visibleTo(request, views).views, request.query);
        const after = dayPosition(decodeCursor(request.query.cursor, 3));
        const rest =
          after === null ? lines : lines.filter(({ key }) => compareModelDays(key, after) > 0);
        const cursorOf = ({ key }: ModelDayLine) => encodeCursor(key);
        const page = pageOf(rest, request.query.limit, cursorOf, ({ row }) => row);
        const answer = { rows: page.rows, next: page.next };
        return sendList('GET /v1/models/days', request, reply, {
          columns: modelDayColumns,
          answer,
        });
      },
    );

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
        const { rows, total } = await toolReport(visibleTo(request, views).views, request.query);
        const after = countPosition(decodeCursor(request.query.cursor, 2));
        const rest =
          after === null
            ? rows
            : rows.filter((row) => compareTools(row, { calls: after.count, tool: after.name }) > 0);
        const cursorOf = (row: (typeof rows)[number]) => encodeCursor([row.calls, row.tool]);
        const page = pageOf(rest, request.query.limit, cursorOf, (row) => row);
        const answer = { rows: page.rows, total, next: page.next };
        return sendList('GET /v1/tools', request, reply, { columns: toolColumns, answer });
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
        const visible = visibleTo(request, views).views;
        const { lines, total } = await toolModelReport(visible, request.query);
        const after = toolModelPosition(decodeCursor(request.query.cursor, 4));
        const rest =
          after === null ? lines : lines.filter(({ key }) => compareToolModels(key, after) > 0);
        const cursorOf = ({ key }: ToolModelLine) => encodeCursor(key);
        const page = pageOf(rest, request.query.limit, cursorOf, ({ row }) => row);
        const answer = { rows: page.rows, total, next: page.next };
        return sendList('GET /v1/tools/models', request, reply, {
          columns: toolModelColumns,
          answer,
        });
      },
    );

    app.get<{ Querystring: Static<typeof RunsQuery> }>(
      '/v1/runs',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/runs', {
          summary: 'Runs, grouped by one thing: turns, tool calls, files, durations, outcomes',
          tags: ['views'],
          querystring: RunsQuery,
        }),
      },
      async (request, reply) => {
        const { by = 'project' } = request.query;
        const visible = visibleTo(request, views).views;
        const { rows, total } = await runReport(visible, by, request.query);
        const after = countPosition(decodeCursor(request.query.cursor, 2));
        const last = after === null ? null : { label: after.name, row: { runs: after.count } };
        const rest = last === null ? rows : rows.filter((row) => compareRuns(by, row, last) > 0);
        const cursorOf = ({ label, row }: (typeof rows)[number]) => encodeCursor([row.runs, label]);
        const page = pageOf(rest, request.query.limit, cursorOf, ({ row }) => row);
        const answer = { by, rows: page.rows, total, next: page.next };
        const columns = [by, ...runFigureColumns];
        return sendList('GET /v1/runs', request, reply, { columns, answer });
      },
    );
  };
}

function pageOf<Line, Row>(
  lines: readonly Line[],
  limit: number | undefined,
  cursorOf: (line: Line) => string,
  rowOf: (line: Line) => Row,
) {
  const cut = cutPage(lines, limit ?? limitDefault, cursorOf);
  return fitPage({ rows: cut.rows.map(rowOf), places: cut.rows, next: cut.next }, cursorOf);
}

function modelPosition(parts: readonly CursorPart[] | null): ModelPosition | null {
  if (parts === null) return null;
  const [cost, tokens, ...names] = parts;
  return {
    cost: amountIn(cost),
    tokens: amountIn(tokens),
    provider: String(names[0]),
    model: String(names[1]),
  };
}

function dayPosition(parts: readonly CursorPart[] | null): ModelDayKey | null {
  if (parts === null) return null;
  const [day, provider, model] = parts.map(String);
  return [day ?? '', provider ?? '', model ?? ''];
}

function toolModelPosition(parts: readonly CursorPart[] | null): ToolModelKey | null {
  if (parts === null) return null;
  const [calls, ...names] = parts;
  if (typeof calls !== 'number') throw badCursor();
  const [tool, provider, model] = names.map(String);
  return [calls, tool ?? '', provider ?? '', model ?? ''];
}

function countPosition(parts: readonly CursorPart[] | null) {
  if (parts === null) return null;
  const [count, name] = parts;
  if (typeof count !== 'number' || typeof name !== 'string') throw badCursor();
  return { count, name };
}
