/**
 * Who asks, and whether they may: every route names the scope it needs (`config: { scope }`), and
 * every request gets a caller.
 *
 * - Registering a route without a scope throws.
 * - If tokens are required, a request without a valid one ends before its body is read, on unknown
 *   paths, too. Such requests count against their address; a request with a valid token counts
 *   against its token only.
 * - A token with a floor for small groups may only use routes that keep it.
 * - If none are required, every program that can connect may do everything except list, create and
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
  belowFloor,
  type Caller,
  localCaller,
  machineCaller,
  mayUse,
  type RouteScope,
  routeScopes,
} from '../auth/access.ts';
import { type Authentication, createAuthenticate } from '../auth/authenticate.ts';
import type { TokenRegistry } from '../auth/tokens.ts';
import { LedgerError } from '../errors.ts';
import { createRateLimits, type RateLimits } from './rate-limits.ts';

export interface ServerAccess {
  /**
   * Who may ask. `process`: this process, in memory. `open`: this machine. `tokens`: any holder.
   */
  readonly mode: 'process' | 'open' | 'tokens';
  readonly tokens: Pick<TokenRegistry, 'find' | 'findNamed'>;
  /** For commands on this machine; null: none. */
  readonly machineToken: string | null;
  /**
   * The key of this home, created if needed: it proves to the user's programs that the collector is
   * theirs. Null: not available.
   */
  readHomeKey(): Promise<Uint8Array | null>;
  /** Host names that it answers to, besides the local ones. */
  readonly hosts: readonly string[];
  /** Per token; 0: no limit. */
  readonly requestsPerMinuteMax: number;
  /** The smallest group that limited tokens are told about; 0: no limit. */
  readonly minimumUsers: number;
  readonly now: () => number;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    scope?: RouteScope;
    /** Its answer has no groups of few users if the caller may not see them. */
    hidesSmallGroups?: true;
    /** By content type: what it takes and checks itself, for the API's document. */
    bodies?: Readonly<Record<string, object>>;
  }
  interface FastifyInstance {
    /** Every route with its scope. */
    routeList: readonly GuardedRoute[];
  }
  interface FastifyRequest {
    /** It is null on a public route that is asked without a valid token. */
    caller: Caller | null;
  }
}

export interface GuardedRoute extends Pick<RouteOptions, 'method' | 'url'> {
  readonly schema: FastifySchema | undefined;
  readonly scope: RouteScope;
  readonly bodies: Readonly<Record<string, object>> | undefined;
}

/** To be called before routes are added. Returns the rate limits; null: none. */
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
    routes.push({ method, url, schema, scope, bodies: config?.bodies });
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
      expectGroups(request, authentication.caller);
    } else if (scope !== 'public') {
      await refuse(authentication.why, limits, request, reply);
    }
  });
  return limits;
}

/** A route that does not say that it keeps the floor is closed to callers with one. */
function expectGroups({ is404, routeOptions }: FastifyRequest, { usersMin }: Caller): void {
  const { scope, hidesSmallGroups } = is404 ? {} : routeOptions.config;
  if (usersMin > 0 && scope === 'read' && hidesSmallGroups !== true) throw belowFloor(usersMin);
}

/** Throws if there is none, which only happens on a public route. */
export function requestCaller({ caller }: FastifyRequest): Caller {
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
      message: 'The store cannot be read right now. Try again.',
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
    message: `This requires a token with the scope ${needed}.`,
  });
}
