/**
 * `GET /v1/live`: a line when the views have committed something new, for as long as somebody reads
 * and the collector runs.
 */
import type { LiveLine } from '@pi-ledger/contract/answers';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { createAuthenticate } from '../../../auth/authenticate.ts';
import type { ViewsReader } from '../../../views/views.ts';
import { requestCaller, type ServerAccess } from '../../access.ts';
import { answering } from '../../answering.ts';
import { type Origin, requestOrigin } from '../../origin.ts';
import { viewsVisibleTo } from '../../visible-views.ts';
import { type ReadChangedIds, visibleSessions } from './changed.ts';
import { createLiveHub, type LiveHubOptions, type LiveMember } from './hub.ts';
import { createLiveReader } from './reader.ts';

export interface LiveRouteOptions extends LiveHubOptions {
  /** Between two positions that `follow` has told. */
  readonly readChangedIds: ReadChangedIds;
  readonly views: ViewsReader;
}

/** One token, or one address without tokens, has at most so many streams. */
const ofCaller = 16;
/** A connection each: the server has 128, and more where tokens are required. */
const streamsMax = { open: 64, tokens: 512 } as const;

const Query = Type.Object(
  {
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'The position heard last: the first line says what changed since.',
      }),
    ),
  },
  { additionalProperties: false },
);

export function liveRoute(access: ServerAccess, options: LiveRouteOptions) {
  const { views } = options;
  const hub = createLiveHub(options);
  const all = access.mode === 'tokens' ? streamsMax.tokens : streamsMax.open;
  const seats = createSeats({ ofCaller, all });
  const idsIn = lastShared(options.readChangedIds);

  function memberOf(request: FastifyRequest): LiveMember {
    const { authorization } = request.headers;
    const authenticate = createAuthenticate(access);
    const visible = viewsVisibleTo(request, views);
    const isLimited = requestCaller(request).reading.is !== 'none';
    return {
      reader: createLiveReader(() => performance.now()),
      isLimited,
      async changes(from, to): Promise<Pick<LiveLine, 'sessions' | 'more'> | null> {
        const { ids, more } = await idsIn({ from, to });
        const sessions = await visibleSessions(visible, ids);
        return isLimited && sessions.length === 0 && !more ? null : { sessions, more };
      },
      isAllowed: async () =>
        access.mode !== 'tokens' || (await authenticate(authorization)).is === 'caller',
    };
  }

  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('preClose', async () => hub.close());

    app.get<{ Querystring: Static<typeof Query> }>(
      '/v1/live',
      {
        // Not for callers with a floor for small groups: a line is about few.
        config: { scope: 'read' },
        exposeHeadRoute: false,
        schema: answering('GET /v1/live', {
          summary: 'What changes, as it happens',
          description:
            'A line of JSON on connecting, at most two a second while events come, and one every ' +
            '15 seconds. A token with limits hears of the sessions that it may see; its ' +
            'positions count the lines it was told, and it cannot resume. Ends when the ' +
            'collector stops, the token no longer holds, or newer streams need its place: the ' +
            'oldest yields of whoever has the most.',
          tags: ['views'],
          querystring: Query,
        }),
      },
      async (request, reply) => {
        const member = memberOf(request);
        const { stream } = member.reader;
        const leave = seats.take(requestOrigin(request), member.reader.yield);
        stream.once('close', leave);
        hub.join(member, request.query.after ?? null);
        reply.header('x-accel-buffering', 'no').type('application/x-ndjson');
        return reply.send(stream);
      },
    );
  };
}

/** Readers mostly ask for the same: the last result is theirs together. */
function lastShared(read: ReadChangedIds): ReadChangedIds {
  let last: { readonly key: string; readonly ids: ReturnType<ReadChangedIds> } | null = null;
  return ({ from, to }) => {
    const key = `${from} ${to}`;
    if (last?.key !== key) last = { key, ids: read({ from, to }) };
    return last.ids;
  };
}

// Places for streams: a caller (a token, or an address without tokens) has some, and there are so
// many in all.
// Guarantees: whoever comes gets a place. Where all are taken, the oldest stream yields of whoever
// has the most: first among callers, then among the page and programs, then among programs by their
// names. So one that opens more and more ends its own. Does not: tell programs apart that name
// themselves alike, nor a program from the page if it sends what a browser sends.

interface SeatLimits {
  readonly ofCaller: number;
  readonly all: number;
}

interface Seat {
  readonly origin: Origin;
  /** Ends its stream. */
  readonly end: () => void;
}

function createSeats({ ofCaller, all }: SeatLimits) {
  /** The oldest first. */
  const taken = new Set<Seat>();

  function makeRoom({ caller }: Origin): void {
    const seats = [...taken];
    const own = seats.filter(({ origin }) => origin.caller === caller);
    const crowd = own.length >= ofCaller ? own : seats.length >= all ? seats : [];
    const yielding = oldestOfLargest(crowd);
    if (yielding === undefined) return;
    taken.delete(yielding);
    yielding.end();
  }

  return {
    /** Returns what gives the place back. */
    take(origin: Origin, end: () => void): () => void {
      makeRoom(origin);
      const seat = { origin, end };
      taken.add(seat);
      return () => void taken.delete(seat);
    },
  };
}

/** Among equals, a program yields before the page, then whoever has the oldest first stream. */
function oldestOfLargest(seats: readonly Seat[]): Seat | undefined {
  const ofCaller = largest(seats, ({ origin }) => origin.caller);
  const ofKind = largest(ofCaller.toSorted(byKind), ({ origin }) => origin.kind);
  return largest(ofKind, ({ origin }) => origin.name)[0];
}

/** Keeps the order of each kind. */
function byKind(one: Seat, other: Seat): number {
  return Number(one.origin.kind === 'page') - Number(other.origin.kind === 'page');
}

function largest(seats: readonly Seat[], keyOf: (seat: Seat) => string): readonly Seat[] {
  const groups = [...Map.groupBy(seats, keyOf).values()];
  return groups.reduce<readonly Seat[]>(
    (most, group) => (group.length > most.length ? group : most),
    [],
  );
}
