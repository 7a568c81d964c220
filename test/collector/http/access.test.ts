/** Every route with every kind of token; new routes are included automatically. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { RouteScope } from '../../../collector/auth/access.ts';
import { drawTokenText } from '../../../collector/auth/token-text.ts';
import { tokenScopes } from '../../../collector/auth/tokens.ts';
import { filled, type Guarded, guardedLedgers, startMs } from '../support/guarded.ts';

const guarded = guardedLedgers();

interface Holder {
  readonly name: string;
  readonly token: string | undefined;
  /** Null: nothing is allowed; then `code` says why. */
  readonly scopes: readonly RouteScope[] | null;
  readonly code?: string;
}

const dayMs = 86_400_000;

/** What each scope opens, repeated here on purpose. */
const opens: Readonly<Record<string, readonly RouteScope[]>> = {
  ingest: ['public', 'ingest'],
  read: ['public', 'read'],
  admin: ['public', 'ingest', 'read', 'admin', 'tokens'],
};

async function holdersOf(subject: Guarded, foreign: Guarded): Promise<Holder[]> {
  const { make, revoke } = subject;
  const holders: Holder[] = [
    { name: 'none', token: undefined, scopes: null, code: 'token_missing' },
    { name: 'empty', token: '', scopes: null, code: 'token_unknown' },
    { name: 'no token at all', token: 'secret', scopes: null, code: 'token_unknown' },
    { name: 'wrong', token: drawTokenText(randomBytes), scopes: null, code: 'token_unknown' },
    { name: 'the machine', token: subject.machineToken, scopes: opens.admin ?? [] },
    { name: 'another machine', token: foreign.machineToken, scopes: null, code: 'token_unknown' },
    {
      name: 'ingest and read',
      token: (await make({ scopes: ['ingest', 'read'] })).text,
      scopes: ['public', 'ingest', 'read'],
    },
    {
      name: 'read-own',
      token: (await make({ scopes: ['read'], onlyOwn: true })).text,
      scopes: opens.read ?? [],
    },
    {
      name: 'read-project',
      token: (await make({ scopes: ['read'], projects: ['shop'] })).text,
      scopes: opens.read ?? [],
    },
  ];
  for (const scope of tokenScopes) {
    const revoked = await make({ scopes: [scope] });
    await revoke(revoked.id);
    const expired = await make({
      scopes: [scope],
      expiresAt: new Date(startMs + dayMs).toISOString(),
    });
    const revokedAndExpired = await make({
      scopes: [scope],
      expiresAt: new Date(startMs + dayMs).toISOString(),
    });
    await revoke(revokedAndExpired.id);
    const lasting = await make({
      scopes: [scope],
      expiresAt: new Date(startMs + dayMs + 1).toISOString(),
    });
    holders.push(
      { name: scope, token: (await make({ scopes: [scope] })).text, scopes: opens[scope] ?? [] },
      { name: `${scope}, for a millisecond more`, token: lasting.text, scopes: opens[scope] ?? [] },
      { name: `${scope}, expired`, token: expired.text, scopes: null, code: 'token_expired' },
      { name: `${scope}, revoked`, token: revoked.text, scopes: null, code: 'token_revoked' },
      {
        name: `${scope}, revoked and expired`,
        token: revokedAndExpired.text,
        scopes: null,
        code: 'token_revoked',
      },
      {
        name: `${scope}, of another ledger`,
        token: (await foreign.make({ scopes: [scope] })).text,
        scopes: null,
        code: 'token_unknown',
      },
    );
  }
  subject.clock.nowMs = startMs + dayMs;
  return holders;
}

interface Outcome {
  readonly status: number;
  readonly code: string | null;
}

function expected({ scopes, code }: Holder, scope: RouteScope): Outcome | 'let in' {
  if (scope === 'public') return 'let in';
  if (scopes === null) return { status: 401, code: code ?? null };
  return scopes.includes(scope) ? 'let in' : { status: 403, code: 'scope_missing' };
}

describe('a collector that asks for tokens', () => {
  it('lets each token into each route as its scope says, and nobody else', async () => {
    const [subject, foreign] = [await guarded.open(), await guarded.open()];
    const holders = await holdersOf(subject, foreign);
    // test/collector/answers/reconciliation/command.test.ts has the tokens that may read their own.
    // Which may see metrics, test/collector/answers/metrics/route.test.ts.
    const routes = subject.ledger.app.routeList.filter(
      ({ url }) => url !== '/v1/log/own' && url !== '/metrics',
    );
    expect(routes.length).toBeGreaterThan(20);
    expect(new Set(routes.map(({ scope }) => scope))).toEqual(
      new Set(['public', 'ingest', 'read', 'admin', 'tokens']),
    );
    const wrong: string[] = [];
    for (const [index, { method, url, scope }] of routes.entries()) {
      for (const holder of holders) {
        const found = await ask(subject, String(method), url, holder, `10.0.1.${index}`);
        const wanted = expected(holder, scope);
        const isRight =
          wanted === 'let in'
            ? found.status !== 401 && found.status !== 403
            : isSame(found, wanted, String(method));
        if (!isRight)
          wrong.push(`${method} ${url} (${scope}) with ${holder.name}: ${JSON.stringify(found)}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('opens to each scope exactly the routes listed here', async () => {
    const { ledger } = await guarded.open();
    const open = (scope: RouteScope): string[] =>
      ledger.app.routeList
        .filter((route) => route.scope === scope && route.method !== 'HEAD')
        .map(({ method, url }) => `${method} ${url}`);
    expect(open('public').toSorted()).toEqual([
      'GET /',
      'GET /assets/*',
      'GET /budgets',
      'GET /compactions',
      'GET /health',
      'GET /health/live',
      'GET /health/ready',
      'GET /insights/*',
      'GET /models',
      'GET /projects',
      'GET /projects/*',
      'GET /sessions',
      'GET /sessions/*',
      'GET /v1/proof',
    ]);
    expect(open('ingest')).toEqual(['POST /v1/events']);
    expect(open('read').toSorted()).toEqual([
      'GET /metrics',
      'GET /openapi.json',
      'GET /v1/agent',
      'GET /v1/answers',
      'GET /v1/budgets',
      'GET /v1/budgets/crossings',
      'GET /v1/compactions',
      'GET /v1/compactions/:id',
      'GET /v1/context/:session',
      'GET /v1/context/:session/series',
      'GET /v1/health',
      'GET /v1/hosts',
      'GET /v1/insights',
      'GET /v1/live',
      'GET /v1/log/own',
      'GET /v1/models',
      'GET /v1/models/days',
      'GET /v1/quota',
      'GET /v1/quota/history',
      'GET /v1/reconciliation',
      'GET /v1/requests',
      'GET /v1/runs',
      'GET /v1/seal',
      'GET /v1/sessions',
      'GET /v1/sessions/:id',
      'GET /v1/sessions/:id/timeline',
      'GET /v1/standing',
      'GET /v1/tools',
      'GET /v1/tools/costs',
      'GET /v1/tools/models',
      'GET /v1/totals',
      'GET /v1/usage',
      'GET /v1/usage/rows',
      'POST /v1/reprice',
    ]);
    expect(open('tokens')).toEqual([
      'GET /v1/tokens',
      'POST /v1/tokens',
      'POST /v1/tokens/:id/revoke',
      'POST /v1/withdrawals',
    ]);
  });

  it.each([
    '/nope',
    '/v1',
    '/v1/usage/',
    '/v1/tokens/x',
    '/V1/usage',
    '//v1/usage',
    '/v1/usage%2f',
  ])('tells nobody without a token whether there is %s', async (url) => {
    const { ask: askFor, machineToken } = await guarded.open();
    expect(await askFor({ url })).toMatchObject({ status: 401 });
    expect((await askFor({ url, token: machineToken })).status).toBe(404);
  });

  it('says in every refusal how to authenticate, and nothing else', async () => {
    const { ask: askFor } = await guarded.open();
    const answer = await askFor({ url: '/v1/usage' });
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="pi-ledger"');
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    expect(Object.keys(JSON.parse(answer.text))).toEqual(['code', 'message']);
  });

  it('shows only readiness and role to callers without a token', async () => {
    const { ask: askFor, make } = await guarded.open();
    expect(JSON.parse((await askFor({ url: '/health/ready' })).text)).toEqual({
      ready: true,
      role: 'leader',
    });
    expect(JSON.parse((await askFor({ url: '/health/ready', token: 'wrong' })).text)).toEqual({
      ready: true,
      role: 'leader',
    });
    const { text } = await make({ scopes: ['ingest'] });
    expect(JSON.parse((await askFor({ url: '/health/ready', token: text })).text)).toMatchObject({
      storeId: expect.any(String),
    });
  });
});

async function ask(
  { ask: send }: Guarded,
  method: string,
  url: string,
  { token }: Holder,
  from?: string,
): Promise<Outcome> {
  const answer = await send({
    method,
    url: filled(url),
    token,
    from,
  });
  return { status: answer.status, code: codeIn(answer.text) };
}

/** The answer to HEAD has no body. */
function isSame(found: Outcome, wanted: Outcome, method: string): boolean {
  return found.status === wanted.status && (method === 'HEAD' || found.code === wanted.code);
}

function codeIn(text: string): string | null {
  try {
    return (JSON.parse(text) as { code?: string }).code ?? null;
  } catch {
    return null; // no body, or not JSON: only errors are looked at
  }
}
