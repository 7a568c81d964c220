/**
 * `GET /v1/compactions` and `/v1/compactions/{id}`: what each compaction dropped, cost and saved,
 * and the totals.
 */
import { compactionColumns } from '@pi-ledger/contract/answers';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { answering, type Reply } from '../../http/answering.ts';
import { badCursor, cutPage, decodeCursor, encodeCursor, fitPage } from '../../http/cursor.ts';
import { sendList } from '../../http/formats.ts';
import {
  filterParameters,
  formatParameter,
  labelParameter,
  limitDefault,
  pageParameters,
  periodParameters,
  timezoneParameter,
} from '../../http/parameters.ts';
import { visibleTo } from '../views/visible-to.ts';
import { createAudits } from './audits/audits.ts';
import { type CompactionsAsked, compactionDetails, listCompactions } from './query.ts';

const { kind: _, ...filters } = filterParameters;

const searchParameters = {
  session: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      maxItems: 100,
      description: 'Only these sessions: ids, starts of ids, or `last`.',
    }),
  ),
  kind: Type.Optional(
    Type.Array(Type.Enum(['compaction', 'branchSummary', 'failure']), {
      minItems: 1,
      maxItems: 3,
      description: 'Repeated: any of them.',
    }),
  ),
  trigger: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      minItems: 1,
      maxItems: 20,
      description: 'manual, threshold, overflow, ...; repeated: any of them; empty: unknown.',
    }),
  ),
  net: Type.Optional(
    Type.Enum(['negative'], { description: 'Only those that cost more than they saved.' }),
  ),
  regret: Type.Optional(
    Type.Enum(['some'], { description: 'Only those after which files were read again.' }),
  ),
  cost: Type.Optional(
    Type.Enum(['unreported'], {
      description: 'Only those whose summary call has no reported cost.',
    }),
  ),
  ignored: Type.Optional(
    Type.Enum(['exclude', 'include'], {
      default: 'exclude',
      description: 'Compactions of ignored projects.',
    }),
  ),
  ...filters,
  ...labelParameter,
  ...periodParameters,
  ...timezoneParameter,
};
const Query = Type.Object(
  { ...searchParameters, ...pageParameters, ...formatParameter },
  { additionalProperties: false },
);
type Query = Static<typeof Query>;

export function routes(sources: Omit<CompactionsAsked, 'audits'>) {
  const asked: CompactionsAsked = { ...sources, audits: createAudits(sources) };
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: Query }>(
      '/v1/compactions',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/compactions', {
          summary: 'Compactions and branch summaries, newest first, with totals',
          description:
            'Includes failed ones. A token with limits sees compactions of sessions that were ' +
            'always within its limits.',
          tags: ['views'],
          querystring: Query,
        }),
      },
      async (request, reply) => {
        const { limit = limitDefault, cursor } = request.query;
        const visible = visibleTo(request, asked);
        const page = { after: placeOf(cursor), limit: limit + 1 };
        const { rows, ...totals } = await listCompactions(asked, visible, request.query, page);
        const cut = cutPage(rows, limit, cursorOf);
        const fitting = await fitPage({ ...cut, places: cut.rows }, cursorOf);
        const answer = { rows: fitting.rows, ...totals, next: fitting.next };
        return sendList('GET /v1/compactions', request, reply, {
          columns: compactionColumns,
          answer,
        });
      },
    );

    app.get<{ Params: { id: string } } & Reply<'GET /v1/compactions/{id}'>>(
      '/v1/compactions/:id',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/compactions/{id}', {
          summary: 'One compaction in full',
          tags: ['views'],
          params: Type.Object({
            id: Type.String({
              minLength: 1,
              maxLength: 200,
              description: 'Its id, the start of its id, or the id of its entry.',
            }),
          }),
        }),
      },
      (request) => compactionDetails(asked, visibleTo(request, asked), request.params.id),
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
