/** Asks a route of this API on a caller's behalf: with their rights, limits and rate limit. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LedgerError } from '../../errors.ts';

export interface PageAsk {
  readonly status: number;
  /** JSON. */
  readonly body: string;
}

/**
 * `ask`: path and query. It is answered as if `request`'s sender had sent it. Throws
 * `bad_parameter` for one that cannot be asked this way.
 */
export async function askRoute(
  app: FastifyInstance,
  request: FastifyRequest,
  ask: string,
): Promise<PageAsk> {
  const url = parseTarget(ask);
  if (url === null) throw notAsked(ask);
  const { host, authorization, 'sec-fetch-site': site } = request.headers;
  const answer = await app.inject({
    url,
    remoteAddress: request.ip,
    headers: {
      accept: 'application/json',
      ...(host === undefined ? {} : { host }),
      ...(authorization === undefined ? {} : { authorization }),
      // The page's turns are its own (turns.ts). Other pages have been refused by now.
      ...(site === undefined ? {} : { 'sec-fetch-site': 'same-origin' }),
    },
  });
  if (!String(answer.headers['content-type']).startsWith('application/json')) throw notAsked(ask);
  return { status: answer.statusCode, body: answer.body };
}

/** Answers without an end, of the whole log, of all counters, or of this kind again. */
const asidePaths = ['/v1/answers', '/v1/live', '/v1/log', '/v1/totals'] as const;

/** Returns null for what must not be asked. The router decodes a path, once. */
function parseTarget(ask: string): string | null {
  try {
    const { origin, pathname, search } = new URL(ask, ownOrigin);
    const path = decodeURIComponent(pathname);
    const isOfApi = ask.startsWith('/v1/') && path.startsWith('/v1/') && origin === ownOrigin;
    const isAside = asidePaths.some((aside) => path === aside || path.startsWith(`${aside}/`));
    return isOfApi && !isAside ? `${pathname}${search}` : null;
  } catch {
    return null;
  }
}

const ownOrigin = 'http://localhost';

function notAsked(ask: string): LedgerError {
  return new LedgerError('bad_parameter', {
    field: 'ask',
    message:
      `ask: ${JSON.stringify(ask.slice(0, 100))} is not a path under /v1 that answers in JSON, ` +
      'or has to be asked alone.',
  });
}
