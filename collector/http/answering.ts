/**
 * What a route says of itself to Fastify and to the OpenAPI document: its answer is the contract's,
 * and its handler is held to it by `Reply`.
 */
import { type Answers, api, type Operation } from '@pi-ledger/contract/answers';
import type { FastifySchema } from 'fastify';

interface Described extends Omit<FastifySchema, 'response'> {
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
}

/** `alsoWith`: another status that has the same answer. */
export function answering(name: Operation, described: Described, alsoWith?: 503) {
  const { operationId, answer } = api[name];
  return {
    operationId,
    ...described,
    response: { 200: answer, ...(alsoWith === undefined ? {} : { [alsoWith]: answer }) },
  };
}

/** The answer of a route, as its handler gives it. */
export type Reply<Name extends Operation> = { Reply: Answers[Name] };
