/**
 * Every error that a client or a user can be shown: its code, the HTTP status, the process' exit code and what it means.
 * Anything else that is thrown is a bug, and is answered as `internal` without details.
 */

const errorCatalogue = {
  // A body as a whole. The client splits the batch, and sets a lone bad event aside.
  not_json: { status: 400, exitCode: 2, message: 'The body is not JSON in UTF-8.' },
  not_a_batch: { status: 400, exitCode: 2, message: 'The body is not an array of events.' },
  bad_gzip: { status: 400, exitCode: 2, message: 'The body is not a complete gzip stream.' },
  body_too_large: { status: 413, exitCode: 2, message: 'The body is too large.' },
  too_many_events: { status: 413, exitCode: 2, message: 'The batch has too many events.' },
  unsupported_content_type: { status: 415, exitCode: 2, message: 'The content type is not supported.' },
  unsupported_content_encoding: { status: 415, exitCode: 2, message: 'The content encoding is not supported: send gzip or none.' },

  // A request.
  bad_request: { status: 400, exitCode: 2, message: 'The request cannot be understood.' },
  bad_parameter: { status: 400, exitCode: 2, message: 'A parameter is not valid.' },
  not_found: { status: 404, exitCode: 1, message: 'There is nothing here.' },
  // 403, which producers read as "keep everything", not 421, which they would read as a bad body.
  host_not_allowed: { status: 403, exitCode: 1, message: 'This collector answers to localhost, 127.0.0.1 and [::1] only.' },
  origin_not_allowed: { status: 403, exitCode: 1, message: 'Requests from other web pages are refused.' },
  store_unavailable: { status: 503, exitCode: 1, message: 'The store cannot be written at the moment; nothing was taken. Try again.' },
  internal: { status: 500, exitCode: 1, message: 'Something went wrong in the collector; its log has the details.' },

  // Opening a store, starting a collector.
  config_invalid: { status: 500, exitCode: 2, message: 'The configuration is not valid.' },
  store_missing: { status: 500, exitCode: 1, message: 'There is no store yet.' },
  store_locked: { status: 503, exitCode: 1, message: 'Another process is writing to this store.' },
  store_too_new: { status: 500, exitCode: 1, message: 'The store was written by a newer version of pi-ledger.' },
  store_invalid: { status: 500, exitCode: 1, message: 'The file is not a store of pi-ledger.' },
  address_in_use: { status: 500, exitCode: 1, message: 'Another program listens on this port.' },
} as const;

export type ErrorCode = keyof typeof errorCatalogue;

export class LedgerError extends Error {
  readonly code: ErrorCode;
  /** The parameter or JSON pointer that is wrong, where one is. */
  readonly field: string | undefined;

  constructor(code: ErrorCode, options: { message?: string; field?: string; cause?: unknown } = {}) {
    super(options.message ?? errorCatalogue[code].message, options.cause === undefined ? undefined : { cause: options.cause });
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
