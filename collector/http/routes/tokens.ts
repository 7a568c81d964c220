/**
 * `GET /v1/tokens`, `POST /v1/tokens` and `POST /v1/tokens/:id/revoke`. A token's text is in the
 * answer that makes it, and nowhere else.
 */
import type { Token as TokenRow } from '@pi-ledger/contract/answers';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { standingOf } from '../../auth/access.ts';
import { drawTokenText, hashOf, type RandomBytes } from '../../auth/token-text.ts';
import { type StoredToken, type Token, type Tokens, tokenScopes } from '../../auth/tokens.ts';
import { LedgerError } from '../../errors.ts';
import { answering, type Reply } from '../answering.ts';
import { cutPage, decodeCursor, encodeCursor, fitPage } from '../cursor.ts';
import { limitDefault, pageParameters } from '../parameters.ts';

/** Without control characters and halves of surrogate pairs. */
const Name = Type.String({ minLength: 1, maxLength: 500, pattern: '^[^\\p{Cc}\\p{Cs}]+$' });

const Wish = Type.Object(
  {
    user: Name,
    scopes: Type.Array(Type.Enum([...tokenScopes]), { minItems: 1, maxItems: tokenScopes.length }),
    onlyOwn: Type.Optional(Type.Boolean({ description: 'Reads only what counts for its user.' })),
    projects: Type.Optional(
      Type.Array(Name, {
        minItems: 1,
        maxItems: 100,
        description: 'Reads only what counts for these projects.',
      }),
    ),
    expiresAt: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'An instant: `2027-01-31T00:00:00Z`. Without it: never.',
      }),
    ),
    note: Type.Optional(Name),
  },
  { additionalProperties: false },
);
type Wish = Static<typeof Wish>;

const Query = Type.Object(pageParameters, { additionalProperties: false });
const Params = Type.Object({ id: Type.String({ maxLength: 100 }) });

export interface TokenRouteOptions {
  readonly tokens: Tokens;
  readonly now: () => number;
  readonly random: RandomBytes;
}

export function tokenRoutes({ tokens, now, random }: TokenRouteOptions) {
  const config = { scope: 'tokens' } as const;
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: Static<typeof Query> } & Reply<'GET /v1/tokens'>>(
      '/v1/tokens',
      {
        config,
        schema: answering('GET /v1/tokens', {
          summary: 'Tokens, oldest first; revoked and expired ones included',
          tags: ['tokens'],
          querystring: Query,
        }),
      },
      async ({ query: { limit = limitDefault, cursor } }) => {
        const after = decodeCursor(cursor, 2);
        const all = await tokens.list();
        const rest =
          after === null ? all : all.slice(all.findIndex(({ id }) => id === after[1]) + 1);
        const page = cutPage(rest, limit, cursorOf);
        return fitPage(
          {
            rows: page.rows.map((token) => toRow(token, now())),
            places: page.rows,
            next: page.next,
          },
          cursorOf,
        );
      },
    );

    app.post<{ Body: Wish } & Reply<'POST /v1/tokens'>>(
      '/v1/tokens',
      {
        config,
        schema: answering('POST /v1/tokens', {
          summary: 'Make a token',
          tags: ['tokens'],
          body: Wish,
        }),
      },
      async ({ body }) => {
        const secret = drawTokenText(random);
        const token = newToken(body, Buffer.from(random(6)).toString('hex'), hashOf(secret), now());
        const outcome = await tokens.create(token);
        if (outcome === 'full') throw new LedgerError('too_many_tokens');
        if (outcome === 'known') throw new Error('two tokens were drawn alike');
        return { ...toRow(token, now()), token: secret };
      },
    );

    app.post<{ Params: { id: string } } & Reply<'POST /v1/tokens/{id}/revoke'>>(
      '/v1/tokens/:id/revoke',
      {
        config,
        schema: answering('POST /v1/tokens/{id}/revoke', {
          summary: 'Revoke a token, at once and for good',
          tags: ['tokens'],
          params: Params,
        }),
      },
      async ({ params }) => {
        const token = await tokens.revoke(params.id, now());
        if (token === null)
          throw new LedgerError('not_found', { message: 'There is no token of this id.' });
        return toRow(token, now());
      },
    );
  };
}

function cursorOf({ createdAtMs, id }: Token): string {
  return encodeCursor([createdAtMs, id]);
}

function newToken(
  { user, scopes, onlyOwn = false, projects, expiresAt, note }: Wish,
  id: string,
  hash: Uint8Array,
  nowMs: number,
): StoredToken {
  const isLimited = onlyOwn || projects !== undefined;
  if (onlyOwn && projects !== undefined)
    throw bad('projects', 'a token is limited to its own, or to projects, not both');
  if (isLimited && !(scopes.includes('read') && !scopes.includes('admin')))
    throw bad('scopes', 'only reading is limited: read, and not admin');
  const expiresAtMs = expiresAt === undefined ? null : instantIn(expiresAt);
  if (expiresAtMs !== null && !(expiresAtMs > nowMs))
    throw bad('expiresAt', 'expected an instant (2027-01-31T00:00:00Z) that is yet to come');
  return {
    id,
    hash,
    user,
    scopes: tokenScopes.filter((scope) => scopes.includes(scope)),
    reading:
      projects !== undefined ? { is: 'projects', projects } : { is: onlyOwn ? 'own' : 'none' },
    note: note ?? null,
    createdAtMs: nowMs,
    expiresAtMs,
    revokedAtMs: null,
  };
}

/**
 * NaN where it is none. `Date.parse` alone takes much else, and a 30th of February for a day in
 * March.
 */
function instantIn(text: string): number {
  const [, day] =
    /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/.exec(text) ??
    [];
  const dayMs = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(dayMs) && instant(dayMs).startsWith(`${day}T`)
    ? Date.parse(text)
    : Number.NaN;
}

function bad(field: string, message: string): LedgerError {
  return new LedgerError('bad_parameter', { field, message: `${field}: ${message}.` });
}

/** Never its hash. */
function toRow(token: Token, nowMs: number): TokenRow {
  const { id, user, scopes, reading, note, createdAtMs, expiresAtMs, revokedAtMs } = token;
  return {
    id,
    user,
    scopes: [...scopes],
    onlyOwn: reading.is === 'own',
    projects: reading.is === 'projects' ? [...reading.projects] : null,
    note,
    createdAt: instant(createdAtMs),
    expiresAt: expiresAtMs === null ? null : instant(expiresAtMs),
    revokedAt: revokedAtMs === null ? null : instant(revokedAtMs),
    standing: standingOf(token, nowMs),
  };
}

function instant(atMs: number): string {
  return new Date(atMs).toISOString();
}
