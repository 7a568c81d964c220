/**
 * Which host names a collector answers to, and which web pages may ask: its own names, and no other
 * page. Tokens are checked in http/access.ts.
 *
 * - The Host header must name this machine or one of `hosts`. A page whose name was rebound to our
 *   address still sends its own name (DNS rebinding). The port is not compared: a rebound page
 *   cannot choose the host name, and forwarded ports keep working.
 * - A request target with a host (`GET http://... HTTP/1.1`) must name an allowed one as well. A
 *   second Host or Authorization header is refused: a proxy in front may have used the other one.
 *   `X-Forwarded-*` and `Forwarded` are ignored.
 * - A request from another web page (`Origin`, `Sec-Fetch-Site`) is refused, and no answer allows
 *   another origin to read it. But a link from anywhere opens a page of ours: a route with
 *   `opensFromElsewhere` answers when the browser says that it is a tab's new document.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LedgerError } from '../errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A link on any other page may open it in a tab. */
    opensFromElsewhere?: true;
  }
}

/** `hosts`: names and addresses without a port, besides the local ones. */
export function addSecurity(app: FastifyInstance, hosts: readonly string[]): void {
  const names: ReadonlySet<string> = new Set([
    ...localNames,
    ...hosts.map((host) => host.toLowerCase()),
  ]);
  const isAllowed = (host: string | undefined): boolean => {
    const name = /^(\[[0-9a-f:.]+\]|[^:]+)(:\d{1,5})?$/i.exec(host ?? '')?.[1];
    return name !== undefined && names.has(name.toLowerCase());
  };
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(securityHeaders);
    if (!isAllowed(request.headers.host) || !targetHosts(request).every(isAllowed))
      throw new LedgerError('host_not_allowed');
    if (headersOnce.some((name) => countHeaders(name, request) > 1))
      throw new LedgerError('header_repeated');
    if (isFromAnotherPage(request) && !opensTab(request))
      throw new LedgerError('origin_not_allowed');
  });
}

/** Every answer has these; the page replaces some. */
export const securityHeaders = {
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

const localNames = ['localhost', '127.0.0.1', '[::1]'] as const;

/** Node keeps only the first of several. */
const headersOnce = ['host', 'authorization'] as const;

function countHeaders(name: string, { raw }: FastifyRequest): number {
  return raw.rawHeaders.filter((header, index) => index % 2 === 0 && header.toLowerCase() === name)
    .length;
}

/** The host in the target, if the target is not a path. */
function targetHosts({ raw }: FastifyRequest): (string | undefined)[] {
  const target = raw.url ?? '';
  return target.startsWith('/') || (target === '*' && raw.method === 'OPTIONS')
    ? []
    : [/^https?:\/\/([^/?#]*)/i.exec(target)?.[1]];
}

function isFromAnotherPage({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  // https, too: a proxy in front may terminate TLS.
  return (
    headers.origin !== undefined &&
    headers.origin !== `http://${headers.host}` &&
    headers.origin !== `https://${headers.host}`
  );
}

/** A browser sends these only for a navigation of a whole tab, never for a frame or a script. */
function opensTab({ method, headers, routeOptions }: FastifyRequest): boolean {
  return (
    method === 'GET' &&
    routeOptions.config.opensFromElsewhere === true &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document' &&
    headers.origin === undefined
  );
}
