/**
 * `GET /v1/tokens`, `POST /v1/tokens` and `POST /v1/tokens/:id/revoke`. Only the answer to `POST
 * /v1/tokens` contains the text of a token.
 */
import type { Token as TokenRow } from '@pi-ledger/contract/answers';
import { instantMs } from '@pi-ledger/core/time/day';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { tokenStatus } from '../../auth/access.ts';
import { drawTokenText, hashToken, type RandomBytes } from '../../auth/token-text.ts';
import {
  type AccessToken,
  type StoredToken,
  type TokenRegistry,
  tokenScopes,
} from '../../auth/tokens.ts';
import { LedgerError } from '../../errors.ts';
import { answering, type Reply } from '../../http/answering.ts';
import { cutPage, decodeCursor, encodeCursor, fitPage } from '../../http/cursor.ts';
import { limitDefault, pageParameters } from '../../http/parameters.ts';

/** Without control characters and lone surrogates. */
const Name = Type.String({ minLength: 1, maxLength: 500, pattern: '^[^\\p{Cc}\\p{Cs}]+$' });

const TokenRequest = Type.Object(
  {
    user: Name,
    scopes: Type.Array(Type.Enum([...tokenScopes]), { minItems: 1, maxItems: tokenScopes.length }),
    onlyOwn: Type.Optional(
      Type.Boolean({ description: 'May read only what counts for its user.' }),
    ),
    projects: Type.Optional(
      Type.Array(Name, {
        minItems: 1,
        maxItems: 100,
        description: 'May read only what counts for these projects.',
      }),
    ),
    expiresAt: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'An instant: `2027-01-31T00:00:00Z`. Default: never.',
      }),
    ),
    note: Type.Optional(Name),
  },
  { additionalProperties: false },
);
type TokenRequest = Static<typeof TokenRequest>;

const Query = Type.Object(pageParameters, { additionalProperties: false });
const Params = Type.Object({ id: Type.String({ maxLength: 100 }) });

export interface TokenRouteOptions {
  readonly tokens: TokenRegistry;
  readonly now: () => number;
  readonly random: RandomBytes;
}

export function routes({ tokens, now, random }: TokenRouteOptions) {
  const config = { scope: 'tokens' } as const;
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: Static<typeof Query> } & Reply<'GET /v1/tokens'>>(
      '/v1/tokens',
      {
        config,
        schema: answering('GET /v1/tokens', {
          summary: 'Tokens, oldest first, including revoked and expired ones',
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

    app.post<{ Body: TokenRequest } & Reply<'POST /v1/tokens'>>(
      '/v1/tokens',
      {
        config,
        schema: answering('POST /v1/tokens', {
          summary: 'Create a token',
          tags: ['tokens'],
          body: TokenRequest,
        }),
      },
      async ({ body }) => {
        const secret = drawTokenText(random);
        const token = newToken(
          body,
          Buffer.from(random(6)).toString('hex'),
          hashToken(secret),
          now(),
        );
        const outcome = await tokens.create(token);
        if (outcome === 'full') throw new LedgerError('too_many_tokens');
        if (outcome === 'known') throw new Error('two tokens were drawn with the same id or hash');
        return { ...toRow(token, now()), token: secret };
      },
    );

    app.post<{ Params: { id: string } } & Reply<'POST /v1/tokens/{id}/revoke'>>(
      '/v1/tokens/:id/revoke',
      {
        config,
        schema: answering('POST /v1/tokens/{id}/revoke', {
          summary: 'Revoke a token immediately and for good',
          tags: ['tokens'],
          params: Params,
        }),
      },
      async ({ params }) => {
        const token = await tokens.revoke(params.id, now());
        if (token === null)
          throw new LedgerError('not_found', { message: 'There is no token with this id.' });
        return toRow(token, now());
      },
    );
  };
}

function cursorOf({ createdAtMs, id }: AccessToken): string {
  return encodeCursor([createdAtMs, id]);
}

function newToken(
  { user, scopes, onlyOwn = false, projects, expiresAt, note }: TokenRequest,
  id: string,
  hash: Uint8Array,
  nowMs: number,
): StoredToken {
  const isLimited = onlyOwn || projects !== undefined;
  if (onlyOwn && projects !== undefined) throw bad('projects', 'cannot be combined with onlyOwn');
  if (isLimited && !(scopes.includes('read') && !scopes.includes('admin')))
    throw bad('scopes', 'onlyOwn and projects require the scope read, without admin');
  const expiresAtMs = expiresAt === undefined ? null : instantMs(expiresAt);
  if (expiresAt !== undefined && (expiresAtMs === null || expiresAtMs <= nowMs))
    throw bad('expiresAt', 'must be an instant (2027-01-31T00:00:00Z) in the future');
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

function bad(field: string, message: string): LedgerError {
  return new LedgerError('bad_parameter', { field, message: `${field}: ${message}.` });
}

/** Never its hash. */
function toRow(token: AccessToken, nowMs: number): TokenRow {
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
    status: tokenStatus(token, nowMs),
  };
}

function instant(atMs: number): string {
  return new Date(atMs).toISOString();
}
