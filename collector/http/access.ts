/**
 * Who asks, and may they: every route says what scope it needs (`config: { scope }`), every request
 * gets a caller.
 *
 * - A route that names no scope is not registered: it throws, at the start.
 * - Where tokens are asked for, a request without a good one ends before its body is read, unknown
 *   paths included. Those count for the address they come from; a good token never waits for what
 *   others of its address do wrong, and counts for itself.
 * - Where none are asked for, every program that gets here may do everything but look at, make and
 *   revoke tokens.
 */
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  RouteOptions,
} from 'fastify';
import {
  type Caller,
  localCaller,
  machineCaller,
  mayUse,
  type RouteScope,
  routeScopes,
} from '../auth/access.ts';
import { type Authentication, createAuthenticate } from '../auth/authenticate.ts';
import type { Tokens } from '../auth/tokens.ts';
import { LedgerError } from '../errors.ts';
import { createRateLimits, type RateLimits } from './rate-limits.ts';

export interface ServerAccess {
  /**
   * `process`: only this process asks, in memory. `open`: programs on this machine, without tokens.
   * `tokens`: whoever has one.
   */
  readonly mode: 'process' | 'open' | 'tokens';
  readonly tokens: Tokens;
  /** Of this process, for commands on this machine; null: there is none. */
  readonly machineToken: string | null;
  /**
   * That of its home, made where there is none: what proves to this user's programs that it is
   * theirs. Null: it cannot be had.
   */
  readHomeKey(): Promise<Uint8Array | null>;
  /** By which names it may be asked beside the local ones. */
  readonly hosts: readonly string[];
  /** Of one token; 0: without a limit. */
  readonly requestsPerMinuteMax: number;
  readonly now: () => number;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    scope?: RouteScope;
  }
  interface FastifyInstance {
    /** Every route that there is, with what it asks for. */
    routeList: readonly GuardedRoute[];
  }
  interface FastifyRequest {
    /** Null: on a public route, without a good token. */
    caller: Caller | null;
  }
}

export interface GuardedRoute extends Pick<RouteOptions, 'method' | 'url'> {
  readonly schema: FastifySchema | undefined;
  readonly scope: RouteScope;
}

/** Before the routes. Answers the limits that hold; null: none. */
export async function addAccess(
  app: FastifyInstance,
  access: ServerAccess,
): Promise<RateLimits | null> {
  const authenticate = createAuthenticate(access);
  const limits =
    access.mode === 'tokens' ? await createRateLimits(app, access.requestsPerMinuteMax) : null;
  const routes: GuardedRoute[] = [];
  app.decorate('routeList', routes);
  app.decorateRequest('caller', null);
  app.addHook('onRoute', ({ method, url, schema, config }) => {
    const scope = config?.scope;
    if (scope === undefined || !routeScopes.includes(scope))
      throw new Error(`${String(method)} ${url} names no scope.`);
    routes.push({ method, url, schema, scope });
  });
  app.addHook('onRequest', async (request, reply) => {
    const scope = request.is404 ? null : (request.routeOptions.config.scope ?? null);
    const authentication = await identify(access, () =>
      authenticate(request.headers.authorization),
    );
    if (authentication.is === 'caller') {
      request.caller = authentication.caller;
      await countCaller(limits, request, reply);
      if (scope !== null && !mayUse(authentication.caller, scope)) throw scopeMissing(scope);
    } else if (scope !== 'public') {
      await refuse(authentication.why, limits, request, reply);
    }
  });
  return limits;
}

/** Throws where there is none: on a public route. */
export function callerOf({ caller }: FastifyRequest): Caller {
  if (caller === null) throw new LedgerError('token_missing');
  return caller;
}

async function identify(
  { mode }: ServerAccess,
  authenticate: () => Promise<Authentication>,
): Promise<Authentication> {
  if (mode === 'process') return { is: 'caller', caller: machineCaller };
  try {
    const authentication = await authenticate();
    return mode === 'open' && authentication.is === 'refused'
      ? { is: 'caller', caller: localCaller }
      : authentication;
  } catch (error) {
    throw new LedgerError('store_unavailable', {
      message: 'The store cannot be read at the moment. Try again.',
      cause: error,
    });
  }
}

type Why = Extract<Authentication, { is: 'refused' }>['why'];

async function refuse(
  why: Why,
  limits: RateLimits | null,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<never> {
  await throwIfExceeded(await limits?.countFailure(request), reply);
  reply.header('www-authenticate', 'Bearer realm="pi-ledger"');
  throw new LedgerError(`token_${why}`);
}

async function countCaller(
  limits: RateLimits | null,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  await throwIfExceeded(await limits?.countCaller(request), reply);
}

export function throwIfExceeded(waitSeconds: number | null | undefined, reply: FastifyReply): void {
  if (waitSeconds === null || waitSeconds === undefined) return;
  reply.header('retry-after', waitSeconds);
  throw new LedgerError('too_many_requests');
}

function scopeMissing(scope: RouteScope): LedgerError {
  const needed = scope === 'tokens' ? 'admin' : scope;
  return new LedgerError('scope_missing', {
    message: `This needs a token with the scope ${needed}.`,
  });
}
