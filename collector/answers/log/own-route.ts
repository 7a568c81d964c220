/**
 * `GET /v1/log/own`: the stored events of the sessions that count for the token's user, for tokens
 * that read only their own: with them a member compares session files with the ledger.
 */
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { mayUse } from '../../auth/access.ts';
import { LedgerError } from '../../errors.ts';
import { requestCaller } from '../../http/access.ts';
import { answering } from '../../http/answering.ts';
import { viewsVisibleTo } from '../../http/visible-views.ts';
import { readEvent, type StoredText } from '../../log/stored-event.ts';
import type { UsageViews } from '../views/usage-views.ts';
import {
  bytesPerReader,
  eventsDefault,
  eventsMax,
  json,
  type LogOptions,
  readSlice,
} from './route.ts';

const Query = Type.Object(
  {
    after: Type.Optional(
      Type.Integer({
        ...{ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'As in `/v1/log`.' },
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: eventsMax,
        default: eventsDefault,
        description: 'Events that are looked at: a page has those of them that are visible.',
      }),
    ),
  },
  { additionalProperties: false },
);

export function routes({ log, views, sessions, answers }: LogOptions & UsageViews) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: Static<typeof Query> }>(
      '/v1/log/own',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/log/own', {
          summary: "The stored events of the token's own sessions, in order",
          description: 'For tokens that read only what counts for their user.',
          tags: ['log'],
          querystring: Query,
        }),
      },
      async (request, reply) => {
        const caller = requestCaller(request);
        if (caller.reading.is !== 'own' && !mayUse(caller, 'admin'))
          throw new LedgerError('scope_missing', {
            message: 'This is for tokens that read only their own. Others need admin: /v1/log.',
          });
        const { after = 0, limit = eventsDefault } = request.query;
        const own = viewsVisibleTo(request, views);
        const page = { log, after, limit, visible: ownOf({ views: own, sessions }) };
        answers.hold(reply, bytesPerReader);
        const first = await readSlice(page, after, limit);
        reply.type('application/json');
        return reply.send(Readable.from(json(page, first), { objectMode: false }));
      },
    );
  };
}

const idsPerQuery = 200;

/** Keeps the events whose session is visible. */
function ownOf({ views, sessions }: UsageViews) {
  const known = new Map<string, boolean>();
  return async (slice: readonly StoredText[]): Promise<readonly StoredText[]> => {
    const subjects = slice.map((stored) => readEvent(stored).event.subject);
    const asked = [...new Set(subjects)].filter((id) => !known.has(id));
    for (let from = 0; from < asked.length; from += idsPerQuery) {
      const ids = asked.slice(from, from + idsPerQuery);
      const found = await views.find(sessions, {
        where: [{ column: 'key', is: 'in', values: ids }],
        orderBy: { column: 'key', descending: false },
        limit: ids.length,
        bodies: false,
      });
      const visible = new Set(found.map(({ key }) => key));
      for (const id of ids) known.set(id, visible.has(id));
    }
    return slice.filter((_, index) => known.get(subjects[index] ?? '') === true);
  };
}
