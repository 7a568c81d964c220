/**
 * Answers errors as `{code, message, field?}`, from the catalogue in errors.ts. Any other error is
 * a bug, and its details are not shown.
 */
import type { ErrorAnswer } from '@pi-ledger/contract/answers';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LedgerError } from '../errors.ts';
import { isStoreUnreachable } from '../stores/registry.ts';

const retryAfterSeconds = 5;

/** Answers a browser that opens a path without a route. */
type OpensNowhere = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

export interface Nowhere {
  /** Once: by a page, from now on. */
  openBy(opens: OpensNowhere): void;
}

/** `nothingHere`: what is said of other paths than those of the routes. */
export function addErrorAnswers(app: FastifyInstance, nothingHere?: string): Nowhere {
  let opens: OpensNowhere | null = null;
  app.setErrorHandler(answerError);
  app.setNotFoundHandler(async (request, reply) => {
    if (opens !== null && isOpened(request)) return opens(request, reply);
    throw new LedgerError('not_found', nothingHere === undefined ? {} : { message: nothingHere });
  });
  return {
    openBy(page) {
      opens = page;
    },
  };
}

/** By somebody who reads it: programs ask for other types, and for paths of the API. */
function isOpened({ method, url, headers }: FastifyRequest): boolean {
  const isHtml = headers.accept?.includes('text/html') === true;
  return method === 'GET' && isHtml && !/^\/(v1|assets)(\/|$)/i.test(url);
}

/** Also for errors before there is a route (a path that cannot be decoded). */
export function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const known = toLedgerError(error);
  if (known.code === 'internal' || (known !== error && known.status === 503))
    request.log.error({ err: error }, 'a request failed');
  if (known.status === 503) reply.header('retry-after', retryAfterSeconds);
  const { code, message, field } = known;
  const answer: ErrorAnswer = field === undefined ? { code, message } : { code, message, field };
  return reply.status(known.status).type('application/json').send(JSON.stringify(answer));
}

const unreadable = 'The store does not answer right now. Try again.';

function toLedgerError(error: unknown): LedgerError {
  if (error instanceof LedgerError) return error;
  const { code, statusCode, message } = error as Partial<FastifyError>;
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new LedgerError('unsupported_content_type');
  if (statusCode === 413) return new LedgerError('body_too_large');
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new LedgerError('bad_request', message === undefined ? {} : { message });
  }
  if (isStoreUnreachable(error))
    return new LedgerError('store_unavailable', { message: unreadable, cause: error });
  return new LedgerError('internal', { cause: error });
}
