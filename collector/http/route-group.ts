/** Routes that a role lists together (roles/role.ts), and what the server offers them. */
import type { FastifyInstance } from 'fastify';
import type { ServerAccess } from './access.ts';
import type { AnswersInHand } from './answers-in-hand.ts';
import type { Nowhere } from './error-answer.ts';
import type { RateLimits } from './rate-limits.ts';

interface ServerContext {
  readonly access: ServerAccess;
  readonly limits: RateLimits | null;
  readonly answers: AnswersInHand;
  readonly nowhere: Nowhere;
}

/** Registers its routes. */
export type RouteGroup = (app: FastifyInstance, server: ServerContext) => Promise<void>;
