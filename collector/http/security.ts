/**
 * Who may talk to a collector without tokens: programs on this machine, and no web page.
 *
 * - The Host header must name this machine. A page whose name was rebound to 127.0.0.1 still sends its own name (DNS rebinding). The port is not
 *   compared: a rebound page cannot choose the host name, whatever its port, and a forwarded port stays usable.
 * - A request that says it comes from another page (`Origin`, `Sec-Fetch-Site`) is refused, and no answer allows another origin to read it.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LedgerError } from '../errors.ts';

export function addSecurity(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(securityHeaders);
    if (!isLocalName(request.headers.host)) throw new LedgerError('host_not_allowed');
    if (isFromAnotherPage(request)) throw new LedgerError('origin_not_allowed');
  });
}

const securityHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

const localNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

function isLocalName(host: string | undefined): boolean {
  const name = /^(\[[0-9a-f:]+\]|[^:]+)(:\d{1,5})?$/i.exec(host ?? '')?.[1];
  return name !== undefined && localNames.has(name.toLowerCase());
}

function isFromAnotherPage({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  return headers.origin !== undefined && headers.origin !== `http://${headers.host}`;
}
