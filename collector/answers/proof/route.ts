/**
 * `GET /v1/proof`: proves to a client, before it sends anything, that this is the collector of its
 * home or one that knows its token. SECURITY.md says what the answers prove and what they do not.
 *
 * Guarantees: nothing of a key gets out but an HMAC under it. The home's key proves only the
 * address of this very connection.
 */
import {
  anywhere,
  joinAddress,
  noncePattern,
  type Proofs,
  proofOf,
  tokenKeyOf,
  tokenNamePattern,
} from '@pi-ledger/core/proof/proof';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { LedgerError } from '../../errors.ts';
import { type ServerAccess, throwIfExceeded } from '../../http/access.ts';
import { answering, type Reply } from '../../http/answering.ts';
import type { RateLimits } from '../../http/rate-limits.ts';

const Query = Type.Object(
  {
    nonce: Type.String({ pattern: noncePattern, description: '256 random bits, base64url.' }),
    tokenName: Type.Optional(
      Type.String({
        pattern: tokenNamePattern,
        description: "The first half of a token's SHA-256, in hex: a name, not a secret.",
      }),
    ),
  },
  { additionalProperties: false },
);

export interface ProofOptions
  extends Pick<ServerAccess, 'tokens' | 'machineToken' | 'readHomeKey'> {
  readonly limits: RateLimits | null;
}

export function routes(options: ProofOptions) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: Static<typeof Query> } & Reply<'GET /v1/proof'>>(
      '/v1/proof',
      {
        config: { scope: 'public' },
        schema: answering('GET /v1/proof', {
          summary: 'Prove which collector this is',
          tags: ['health'],
          querystring: Query,
        }),
      },
      async (request, reply): Promise<Proofs> => {
        const { nonce, tokenName } = request.query;
        const token = tokenName === undefined ? null : await keyNamed(tokenName, options);
        await count(token, options.limits, request, reply);
        const here = joinAddress(request.socket.localAddress, request.socket.localPort);
        return {
          home: here === null ? null : await proofOfHome(options, nonce, here),
          token: token === null ? null : proofsOfToken(token, nonce, here),
        };
      },
    );
  };
}

interface NamedKey {
  readonly key: Uint8Array;
  /** It is null for this process's own token, which commands on this machine use. */
  readonly tokenId: string | null;
}

/** Also for a revoked token: the client learns that when it uses the token. */
async function keyNamed(
  name: string,
  { tokens, machineToken }: ProofOptions,
): Promise<NamedKey | null> {
  const own = tokenKeyOf(machineToken);
  if (own !== null && own.name === name) return { key: own.key, tokenId: null };
  try {
    const token = await tokens.findNamed(Buffer.from(name, 'hex'));
    return token === null ? null : { key: token.hash, tokenId: token.id };
  } catch (error) {
    throw new LedgerError('store_unavailable', {
      message: 'The store cannot be read right now. Try again.',
      cause: error,
    });
  }
}

async function count(
  token: NamedKey | null,
  limits: RateLimits | null,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (limits === null || (token !== null && token.tokenId === null)) return;
  request.provenTokenId = token?.tokenId ?? null;
  throwIfExceeded(await limits.countProof(request), reply);
}

async function proofOfHome(
  { readHomeKey }: ProofOptions,
  nonce: string,
  here: string,
): Promise<string | null> {
  const key = await readHomeKey();
  return key === null ? null : proofOf(key, 'home', nonce, here);
}

function proofsOfToken(
  { key }: NamedKey,
  nonce: string,
  here: string | null,
): NonNullable<Proofs['token']> {
  return {
    here: here === null ? '' : proofOf(key, 'token', nonce, here),
    anywhere: proofOf(key, 'token', nonce, anywhere),
  };
}
