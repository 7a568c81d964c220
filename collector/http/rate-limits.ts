/**
 * How often one may ask: requests of a token, and requests of an address that bring no good token,
 * in windows of a minute.
 *
 * Guarantees: bounded in memory (of more tokens or addresses the one seen longest ago is
 * forgotten). It counts in this process only.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';

export interface RateLimits {
  /** Null, or after how many seconds to try again. A caller without a token is not counted. */
  countCaller(request: FastifyRequest): Promise<number | null>;
  countFailure(request: FastifyRequest): Promise<number | null>;
  /**
   * A proof that is asked for: it counts for the token that it names, else as a failure of the
   * address.
   */
  countProof(request: FastifyRequest): Promise<number | null>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the token that it asks a proof with; null: of none that is known. */
    provenTokenId: string | null;
  }
}

const windowMs = 60_000;
const countersMax = 5_000;
/** Of one address: a team behind one proxy, some of whose tokens ran out, stays below it. */
const failuresPerMinuteMax = 600;

/**
 * `requestsPerMinuteMax` is of one token; 0: without a limit. The library is loaded here: only a
 * collector that asks for tokens pays for it.
 */
export async function createRateLimits(
  app: FastifyInstance,
  requestsPerMinuteMax: number,
): Promise<RateLimits> {
  const { default: rateLimit } = await import('@fastify/rate-limit');
  await app.register(rateLimit, { global: false, cache: countersMax });
  const shared = { timeWindow: windowMs, cache: countersMax };
  const ofCaller = app.createRateLimit({
    ...shared,
    max: requestsPerMinuteMax,
    keyGenerator: ({ caller }) => caller?.tokenId ?? '',
  });
  app.decorateRequest('provenTokenId', null);
  const ofProof = app.createRateLimit({
    ...shared,
    max: requestsPerMinuteMax,
    keyGenerator: ({ provenTokenId }) => provenTokenId ?? '',
  });
  const ofAddress = app.createRateLimit({
    ...shared,
    max: failuresPerMinuteMax,
    keyGenerator: ({ ip }) => ip,
  });
  const waitOf = async (
    count: typeof ofCaller,
    request: FastifyRequest,
  ): Promise<number | null> => {
    const result = await count(request);
    return !result.isAllowed && result.isExceeded ? Math.max(1, result.ttlInSeconds) : null;
  };
  return {
    async countCaller(request) {
      const isCounted = requestsPerMinuteMax > 0 && (request.caller?.tokenId ?? null) !== null;
      return isCounted ? waitOf(ofCaller, request) : null;
    },
    countFailure: (request) => waitOf(ofAddress, request),
    async countProof(request) {
      if (request.provenTokenId === null) return waitOf(ofAddress, request);
      return requestsPerMinuteMax > 0 ? waitOf(ofProof, request) : null;
    },
  };
}
