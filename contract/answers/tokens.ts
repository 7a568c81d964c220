import { Type } from 'typebox';
import { type AnswerOf, Next, OrNull, TextOrNull } from './fields.ts';

const tokenFields = {
  id: Type.String(),
  user: Type.String(),
  scopes: Type.Array(Type.String()),
  onlyOwn: Type.Boolean({ description: "Can only read its user's data." }),
  projects: OrNull(Type.Array(Type.String()), 'Can only read these projects.'),
  note: TextOrNull,
  createdAt: Type.String(),
  expiresAt: OrNull(Type.String(), 'Null: never.'),
  revokedAt: OrNull(Type.String(), 'When it was revoked; null: it was not.'),
  status: Type.Enum(['valid', 'expired', 'revoked']),
};

const token = {
  id: '5f0a1c22b7d3',
  user: 'ada',
  scopes: ['ingest', 'read'],
  onlyOwn: true,
  projects: null,
  note: 'laptop',
  createdAt: '2026-05-01T09:00:00.000Z',
  expiresAt: '2027-01-31T00:00:00.000Z',
  revokedAt: null,
  status: 'valid',
};

/**
 * `POST /v1/tokens/{id}/revoke`, and a row of the list. Never includes the token's text or hash.
 */
export const Token = Type.Object(tokenFields, { title: 'Token', examples: [token] });
export type Token = AnswerOf<typeof Token>;

/** `GET /v1/tokens` */
export const TokenList = Type.Object(
  { rows: Type.Array(Token), next: Next },
  { title: 'TokenList', examples: [{ rows: [token], next: null }] },
);

/** `POST /v1/tokens` */
export const NewToken = Type.Object(
  { ...tokenFields, token: Type.String({ description: 'Shown only once.' }) },
  { title: 'NewToken', examples: [{ ...token, token: 'pil_shown-this-once' }] },
);
