/**
 * Every error that a client or a user can be shown: its code, the HTTP status, the process' exit
 * code and what it means. Anything else that is thrown is a bug, and is answered as `internal`
 * without details.
 */

import type { ErrorCode } from '@pi-ledger/contract/answers';

interface ErrorKind {
  readonly status: number;
  readonly exitCode: number;
  readonly message: string;
}

const errorCatalogue: Readonly<Record<ErrorCode, ErrorKind>> = {
  // A body as a whole. The client splits the batch, and sets a lone bad event aside.
  not_json: { status: 400, exitCode: 2, message: 'The body is not JSON in UTF-8.' },
  not_a_batch: { status: 400, exitCode: 2, message: 'The body is not an array of events.' },
  bad_gzip: { status: 400, exitCode: 2, message: 'The body is not a complete gzip stream.' },
  body_too_large: { status: 413, exitCode: 2, message: 'The body is too large.' },
  too_many_events: { status: 413, exitCode: 2, message: 'The batch has too many events.' },
  unsupported_content_type: {
    status: 415,
    exitCode: 2,
    message: 'The content type is not supported.',
  },
  unsupported_content_encoding: {
    status: 415,
    exitCode: 2,
    message: 'The content encoding is not supported: send gzip or none.',
  },

  // A request.
  bad_request: { status: 400, exitCode: 2, message: 'The request cannot be understood.' },
  bad_parameter: { status: 400, exitCode: 2, message: 'A parameter is not valid.' },
  not_found: { status: 404, exitCode: 1, message: 'There is nothing here.' },
  // Up to the tokens: 403, which producers read as "keep everything", not 421, which they would
  // read as a bad body.
  host_not_allowed: {
    status: 403,
    exitCode: 1,
    message:
      'This collector answers to localhost, 127.0.0.1, [::1] and the names that "hosts" in its config.json lists.',
  },
  header_repeated: {
    status: 403,
    exitCode: 1,
    message: 'Host and Authorization may stand in a request only once.',
  },
  origin_not_allowed: {
    status: 403,
    exitCode: 1,
    message: 'Requests from other web pages are refused.',
  },
  // 401 and 403 are read by producers as "keep everything".
  token_missing: {
    status: 401,
    exitCode: 1,
    message: 'This collector asks for a token: set PI_LEDGER_TOKEN, or "token" in config.json.',
  },
  token_unknown: { status: 401, exitCode: 1, message: 'The token is not known here.' },
  token_expired: {
    status: 401,
    exitCode: 1,
    message: 'The token has expired: ask for another one.',
  },
  token_revoked: {
    status: 401,
    exitCode: 1,
    message: 'The token was revoked: ask for another one.',
  },
  scope_missing: { status: 403, exitCode: 1, message: 'The token does not allow this.' },
  too_many_requests: { status: 429, exitCode: 1, message: 'Too many requests: try again later.' },
  too_many_tokens: {
    status: 409,
    exitCode: 1,
    message: 'There are as many tokens as are kept, revoked and expired ones included.',
  },
  store_unavailable: {
    status: 503,
    exitCode: 1,
    message: 'The store cannot be written at the moment; nothing was taken. Try again.',
  },
  standing_by: {
    status: 503,
    exitCode: 1,
    message:
      'Another collector writes to this store; this one stands by. Nothing was taken. Try again.',
  },
  internal: {
    status: 500,
    exitCode: 1,
    message: 'Something went wrong in the collector; its log has the details.',
  },

  // Opening a store, starting a collector.
  config_invalid: { status: 500, exitCode: 2, message: 'The configuration is not valid.' },
  sealed_by_another_version: {
    status: 500,
    exitCode: 1,
    message: 'What stayed of deleted history cannot be read by this program.',
  },
  seal_interrupted: {
    status: 503,
    exitCode: 1,
    message: 'The collector stops before history is sealed: ask again, it goes on where it can.',
  },
  sealing_already: { status: 409, exitCode: 1, message: 'History is being sealed already.' },
  store_missing: { status: 500, exitCode: 1, message: 'There is no store yet.' },
  store_gone: {
    status: 503,
    exitCode: 1,
    message:
      'The file of the store was removed or replaced while it was written; nothing was taken.',
  },
  store_linked: {
    status: 500,
    exitCode: 1,
    message: 'The file of the store has several names (hard links).',
  },
  store_locked: { status: 503, exitCode: 1, message: 'Another process is writing to this store.' },
  store_too_new: {
    status: 500,
    exitCode: 1,
    message: 'The store was written by a newer version of pi-ledger.',
  },
  store_outdated: {
    status: 500,
    exitCode: 1,
    message: 'The store was written by an older version of pi-ledger: run `pi-ledger migrate`.',
  },
  store_unreachable: {
    status: 503,
    exitCode: 1,
    message: 'The server of the store does not answer, or refuses to let us in.',
  },
  store_damaged: { status: 503, exitCode: 1, message: 'The file of the store is damaged.' },
  store_invalid: { status: 500, exitCode: 1, message: 'The file is not a store of pi-ledger.' },
  tokens_needed: {
    status: 500,
    exitCode: 1,
    message: 'There is no valid token, and without one nobody could use this collector.',
  },
  collector_unproven: {
    status: 502,
    exitCode: 1,
    message: 'What answers there does not prove that it is a collector of ours.',
  },
  address_in_use: { status: 500, exitCode: 1, message: 'Another program listens on this port.' },
};

export class LedgerError extends Error {
  readonly code: ErrorCode;
  /** The parameter or JSON pointer that is wrong, where one is. */
  readonly field: string | undefined;

  constructor(
    code: ErrorCode,
    options: { message?: string; field?: string; cause?: unknown } = {},
  ) {
    super(
      options.message ?? errorCatalogue[code].message,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = 'LedgerError';
    this.code = code;
    this.field = options.field;
  }

  get status(): number {
    return errorCatalogue[this.code].status;
  }

  get exitCode(): number {
    return errorCatalogue[this.code].exitCode;
  }
}
