/** A route's schema, for Fastify and OpenAPI. Its answer is the contract's; `Reply` enforces it. */
import { type Answers, api, type Operation } from '@pi-ledger/contract/answers';
import type { FastifySchema } from 'fastify';

interface Described extends Omit<FastifySchema, 'response'> {
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
}

/** `alsoWith`: another status with the same answer. */
export function answering(name: Operation, described: Described, alsoWith?: 503) {
  const { operationId, answer } = api[name];
  return {
    operationId,
    ...described,
    response: { 200: answer, ...(alsoWith === undefined ? {} : { [alsoWith]: answer }) },
  };
}

/** The type of a route's answer, for its handler. */
export type Reply<Name extends Operation> = { Reply: Answers[Name] };
