/** `GET /v1/budgets` and `/v1/budgets/crossings`: how budgets stand, and how they came to. */
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { answering, type Reply } from '../../http/answering.ts';
import { badCursor, cutPage, decodeCursor, encodeCursor } from '../../http/cursor.ts';
import { AnyOf, limitDefault, pageParameters } from '../../http/parameters.ts';
import { parseMoment } from '../filters/conditions.ts';
import { visibleTo } from '../views/visible-to.ts';
import { listCrossings, type PlacedCrossing } from './crossings.ts';
import { type BudgetsAsked, budgetList } from './query.ts';

const scopeParameters = {
  project: AnyOf('budgets of the project'),
  user: AnyOf('budgets of the user'),
};
const Query = Type.Object(scopeParameters, { additionalProperties: false });
const CrossingsQuery = Type.Object(
  {
    ...scopeParameters,
    budget: AnyOf('the budget'),
    since: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'A UTC day (`2026-11-22`), or an instant, rounded down to the hour.',
      }),
    ),
    ...pageParameters,
  },
  { additionalProperties: false },
);

const description =
  'A token that is limited to its own user, or to projects, is told of the budgets of that user ' +
  'or of those projects.';

export function routes(asked: BudgetsAsked) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: Static<typeof Query> } & Reply<'GET /v1/budgets'>>(
      '/v1/budgets',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/budgets', {
          summary: 'How much of each budget is used',
          description,
          tags: ['views'],
          querystring: Query,
        }),
      },
      (request) => budgetList(asked, visibleTo(request, asked), request.query),
    );
    app.get<{ Querystring: Static<typeof CrossingsQuery> } & Reply<'GET /v1/budgets/crossings'>>(
      '/v1/budgets/crossings',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/budgets/crossings', {
          summary: 'When budgets came into another state, newest first',
          description,
          tags: ['views'],
          querystring: CrossingsQuery,
        }),
      },
      async (request) => {
        const { cursor, since, limit = limitDefault, ...named } = request.query;
        const { views } = visibleTo(request, asked);
        const from = instantOf(since);
        const found = await listCrossings(views, {
          ...named,
          ...(from === undefined ? {} : { since: from }),
          ...placeIn(cursor),
          limit: limit + 1,
        });
        const { rows, next } = cutPage(found, limit, cursorOf);
        return { rows: rows.map(({ row }) => row), next };
      },
    );
  };
}

function instantOf(since: string | undefined): string | undefined {
  const moment = parseMoment('since', since);
  if (moment === null) return undefined;
  return moment.kind === 'day' ? moment.day : moment.hour;
}

function cursorOf({ at, key }: PlacedCrossing): string {
  return encodeCursor([at, key]);
}

function placeIn(cursor: string | undefined) {
  const parts = decodeCursor(cursor, 2);
  if (parts === null) return {};
  const [value, key] = parts;
  if (typeof value !== 'string' || typeof key !== 'string') throw badCursor();
  return { after: { value, key } };
}
