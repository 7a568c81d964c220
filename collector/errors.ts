/**
 * Every error that a client or a user can see: its code, HTTP status, exit code of the process, and
 * message. Anything else that is thrown is a bug, and is answered as `internal` without details.
 */

import type { ErrorCode } from '@pi-ledger/contract/answers';

interface ErrorKind {
  readonly status: number;
  readonly exitCode: number;
  readonly message: string;
}

const errorCatalogue: Readonly<Record<ErrorCode, ErrorKind>> = {
  // The body as a whole is bad. A client splits the batch, and sets a single bad event aside.
  not_json: { status: 400, exitCode: 2, message: 'The body is not valid JSON in UTF-8.' },
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
    message: 'The content encoding is not supported: use gzip or none.',
  },

  // A request.
  bad_request: { status: 400, exitCode: 2, message: 'The request is not valid.' },
  headers_too_large: {
    status: 431,
    exitCode: 2,
    message: 'The path and the headers are longer than 16 KB together.',
  },
  request_too_slow: {
    status: 408,
    exitCode: 1,
    message: 'The request did not arrive completely in time.',
  },
  bad_parameter: { status: 400, exitCode: 2, message: 'A parameter is not valid.' },
  not_found: { status: 404, exitCode: 1, message: 'There is nothing at this path.' },
  // 401 and 403: producers keep everything. A 421 would look to them like a bad body.
  host_not_allowed: {
    status: 403,
    exitCode: 1,
    message:
      'This collector answers only to localhost, 127.0.0.1, [::1] and the names in "hosts" ' +
      'in its config.json.',
  },
  header_repeated: {
    status: 403,
    exitCode: 1,
    message: 'A request may have only one Host and one Authorization header.',
  },
  origin_not_allowed: {
    status: 403,
    exitCode: 1,
    message: 'Requests from other web pages are refused.',
  },
  token_missing: {
    status: 401,
    exitCode: 1,
    message: 'This collector requires a token: set PI_LEDGER_TOKEN, or "token" in config.json.',
  },
  token_unknown: { status: 401, exitCode: 1, message: 'This collector does not know the token.' },
  token_expired: {
    status: 401,
    exitCode: 1,
    message: 'The token has expired: ask for a new one.',
  },
  token_revoked: {
    status: 401,
    exitCode: 1,
    message: 'The token was revoked: ask for a new one.',
  },
  scope_missing: { status: 403, exitCode: 1, message: 'The token does not allow this.' },
  too_many_requests: { status: 429, exitCode: 1, message: 'Too many requests: try again later.' },
  too_many_tokens: {
    status: 409,
    exitCode: 1,
    message: 'The limit of tokens is reached; revoked and expired ones count too.',
  },
  store_unavailable: {
    status: 503,
    exitCode: 1,
    message: 'The store cannot be written right now. Nothing was accepted; try again.',
  },
  broker_unavailable: {
    status: 503,
    exitCode: 1,
    message: 'Kafka cannot be written right now. Nothing was accepted; try again.',
  },
  standing_by: {
    status: 503,
    exitCode: 1,
    message:
      'Another collector writes to this store; this one is on standby. ' +
      'Nothing was accepted; try again.',
  },
  answers_too_long: {
    status: 503,
    exitCode: 1,
    message: 'The answers before this one are long. Ask this one alone.',
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
    message: 'This version cannot read what was kept of the deleted history.',
  },
  seal_interrupted: {
    status: 503,
    exitCode: 1,
    message: 'The collector stopped before history was sealed: try again, and it resumes.',
  },
  sealing_already: { status: 409, exitCode: 1, message: 'History is already being sealed.' },
  store_missing: { status: 500, exitCode: 1, message: 'There is no store yet.' },
  store_gone: {
    status: 503,
    exitCode: 1,
    message: 'The store file was removed or replaced while in use; nothing was accepted.',
  },
  store_linked: {
    status: 500,
    exitCode: 1,
    message: 'The store file has several names (hard links).',
  },
  store_locked: { status: 503, exitCode: 1, message: 'Another process is writing to this store.' },
  cells_differ: {
    status: 500,
    exitCode: 1,
    message: 'The ledger is divided into another number of cells.',
  },
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
    message: 'The database server does not answer, or refuses the login.',
  },
  store_damaged: { status: 503, exitCode: 1, message: 'The store file is damaged.' },
  store_invalid: { status: 500, exitCode: 1, message: 'The file is not a pi-ledger store.' },
  tokens_needed: {
    status: 500,
    exitCode: 1,
    message: 'There is no valid token, so nobody could use this collector.',
  },
  collector_unproven: {
    status: 502,
    exitCode: 1,
    message: 'The server at this address did not prove that it is your collector.',
  },
  address_in_use: {
    status: 500,
    exitCode: 1,
    message: 'Another program is listening on this port.',
  },
};

export class LedgerError extends Error {
  readonly code: ErrorCode;
  /** The parameter or JSON pointer at fault, if there is one. */
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
