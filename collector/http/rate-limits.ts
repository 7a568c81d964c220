/**
 * Rate limits: requests per token, and requests without a valid token per address, in windows of a
 * minute.
 *
 * Guarantees: bounded memory (beyond `countersMax`, the counter unused for longest is forgotten).
 * Each process counts for itself.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';

export interface RateLimits {
  /** Returns the seconds to wait, or null. A caller without a token is not counted. */
  countCaller(request: FastifyRequest): Promise<number | null>;
  countFailure(request: FastifyRequest): Promise<number | null>;
  /** A request for a proof counts for the token it names, or else as a failure of its address. */
  countProof(request: FastifyRequest): Promise<number | null>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The known token that the request for a proof names; null: none. */
    provenTokenId: string | null;
  }
}

const windowMs = 60_000;
const countersMax = 5_000;
/** Per address. A team behind one proxy stays below it even if some of its tokens expired. */
const failuresPerMinuteMax = 600;

/**
 * `requestsPerMinuteMax`: per token; 0: no limit. The library is loaded here, so only a collector
 * that requires tokens pays for it.
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
