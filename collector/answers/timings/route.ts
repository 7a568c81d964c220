/** `GET /v1/models`, `/v1/models/days`, `/v1/runs`: how fast and how reliably they worked. */
import {
  modelColumns,
  modelDayColumns,
  runFigureColumns,
  runGroupings,
} from '@pi-ledger/contract/answers';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { answering } from '../../http/answering.ts';
import { amountIn, type CursorPart, decodeCursor, encodeCursor } from '../../http/cursor.ts';
import { sendList } from '../../http/formats.ts';
import { viewsVisibleTo } from '../../http/visible-views.ts';
import type { ViewsReader } from '../../views/views.ts';
import { compareModels, type ModelPosition, modelReport } from '../models/query.ts';
import { rankLength } from '../spend/figures.ts';
import { hiddenIn } from '../spend/shown-names.ts';
import { countPosition, ModelsQuery, pageOf, timingParameters } from './list-routes.ts';
import { compareRuns, type RunPosition, runReport } from './runs.ts';
import { compareModelDays, type ModelDayKey, type ModelDayLine, modelDays } from './speed.ts';

const RunsQuery = Type.Object(
  { by: Type.Optional(Type.Enum([...runGroupings], { default: 'project' })), ...timingParameters },
  { additionalProperties: false },
);

export function routes({ views }: { readonly views: ViewsReader }) {
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
        const visible = viewsVisibleTo(request, views);
        const { rows, total, hidden } = await modelReport(visible, request.query);
        const after = modelPosition(decodeCursor(request.query.cursor, rankLength + 2));
        const rest = after === null ? rows : rows.filter((row) => compareModels(row, after) > 0);
        const cursorOf = ({ rank, provider, model }: ModelPosition) =>
          encodeCursor([provider, model, ...rank.map(String)]);
        const page = await pageOf(rest, request.query.limit, cursorOf, ({ row }) => row());
        const answer = { rows: page.rows, total, ...hiddenIn(hidden.size), next: page.next };
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
        const visible = viewsVisibleTo(request, views);
        const { lines, hidden } = await modelDays(visible, request.query);
        const after = dayPosition(decodeCursor(request.query.cursor, 3));
        const rest =
          after === null ? lines : lines.filter(({ key }) => compareModelDays(key, after) > 0);
        const cursorOf = ({ key }: ModelDayLine) => encodeCursor(key);
        const page = await pageOf(rest, request.query.limit, cursorOf, ({ row }) => row());
        const answer = { rows: page.rows, ...hiddenIn(hidden.size), next: page.next };
        return sendList('GET /v1/models/days', request, reply, {
          columns: modelDayColumns,
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
        const visible = viewsVisibleTo(request, views);
        const { rows, total, hidden } = await runReport(visible, by, request.query);
        const after = countPosition(decodeCursor(request.query.cursor, 2));
        const last = after === null ? null : { label: after.name, runs: after.count };
        const rest = last === null ? rows : rows.filter((row) => compareRuns(by, row, last) > 0);
        const cursorOf = ({ label, runs }: RunPosition) => encodeCursor([runs, label]);
        const page = await pageOf(rest, request.query.limit, cursorOf, ({ row }) => row());
        const answer = { by, rows: page.rows, total, ...hiddenIn(hidden.size), next: page.next };
        const columns = [by, ...runFigureColumns];
        return sendList('GET /v1/runs', request, reply, { columns, answer });
      },
    );
  };
}

function modelPosition(parts: readonly CursorPart[] | null): ModelPosition | null {
  if (parts === null) return null;
  const [provider, model, ...rank] = parts;
  return { rank: rank.map(amountIn), provider: String(provider), model: String(model) };
}

function dayPosition(parts: readonly CursorPart[] | null): ModelDayKey | null {
  if (parts === null) return null;
  const [day, provider, model] = parts.map(String);
  return [day ?? '', provider ?? '', model ?? ''];
}
