import { Type } from 'typebox';
import { OrNull } from './fields.ts';

/** `GET /v1/proof` */
export const Proofs = Type.Object(
  {
    home: OrNull(Type.String(), 'HMAC-SHA-256 under `home.key`, base64url.'),
    token: OrNull(
      Type.Object({ here: Type.String(), anywhere: Type.String() }),
      "HMAC-SHA-256 under the token's SHA-256; null: no such token here.",
    ),
  },
  {
    title: 'Proofs',
    examples: [{ home: 'pYk2c4rFv1m0y8l7Yc7q5m3a0n2vY3k1x5b8t9u4w6E', token: null }],
  },
);
