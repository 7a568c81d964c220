/**
 * A connection to the collector on which it has proven itself (../proof/challenge.ts), and what a
 * failure on it means.
 *
 * Guarantees: no event or token is sent before the proof. Over plain HTTP, they are sent only over
 * the connection on which the proof was given: the collector may end in between, and another
 * program take over its port.
 */
import { randomBytes } from 'node:crypto';
import http, { type Agent, type ClientRequest } from 'node:http';
import https from 'node:https';
import { createChallenge } from '../../core/proof/challenge.ts';
import { readHomeKey } from '../../core/proof/home-key.ts';
import { type ConverseAnswered, type ConverseReply, converse, errorReason } from './converse.ts';
import type { Retry, Unauthorized } from './send-result.ts';

export interface CollectorConnectionOptions {
  /**
   * The collector's URL, with or without a path before `/v1`; or a function that returns it for
   * each request, null while there is no collector. An invalid URL makes every result `retry`.
   */
  readonly url: string | (() => string | null);
  /** The user set the address; it is not the default. */
  readonly isUrlNamed: boolean;
  readonly token: string | null;
  /** PI_LEDGER_HOME. */
  readonly home: string;
  readonly nowMs: () => number;
  /** Limit of the whole exchange. */
  readonly timeoutMs: number;
}

/** Where the collector is, and who asks; `timeoutMs`: of one exchange, if not the usual. */
export type CollectorConnection = Omit<CollectorConnectionOptions, 'timeoutMs'> & {
  readonly timeoutMs?: number;
};

/**
 * Proves the listener, then hands the connection to `use`. Contract: never rejects; the connection
 * is closed at the end.
 */
export async function onProven<Result>(
  options: CollectorConnectionOptions,
  use: (connection: Connection, leftMs: () => number) => Promise<Result>,
): Promise<Result | Retry | Unauthorized> {
  const untilMs = performance.now() + options.timeoutMs;
  try {
    const url = typeof options.url === 'string' ? options.url : options.url();
    if (url === null)
      return { state: 'retry', cause: 'local', reason: 'no collector is running on this home' };
    const connection = connectionTo(url);
    try {
      const doubt = await prove(connection, options);
      return doubt ?? (await use(connection, () => untilMs - performance.now()));
    } finally {
      connection.agent.destroy();
    }
  } catch (error) {
    return { state: 'retry', cause: 'local', reason: errorReason(error) };
  }
}

/** Resolves to null if the listener has proved its identity. */
async function prove(
  connection: Connection,
  options: CollectorConnectionOptions,
): Promise<Retry | Unauthorized | null> {
  const { home, token, isUrlNamed, timeoutMs } = options;
  const nonce = randomBytes(32).toString('base64url');
  const challenge = createChallenge({ homeKey: await readHomeKey(home), token, isUrlNamed, nonce });
  const reply = await converse(
    connection.request(challenge.path, 'GET', { accept: 'application/json' }),
    null,
    timeoutMs,
  );
  if (reply.state === 'failed') return failure(reply, options);
  const verdict = challenge.judge(reply, reply.ip, reply.port);
  if (verdict.is === 'proven') return null;
  const { status } = reply;
  // The request itself was refused, e.g. by a collector that does not know the host name in it.
  if (status === 401 || status === 403) return { state: 'unauthorized', status };
  if (isBusy(status)) return busy(reply, options);
  return { state: 'retry', cause: 'stranger', reason: verdict.reason, remedy: verdict.remedy };
}

interface Connection {
  readonly agent: Agent;
  request(
    path: string,
    method: 'GET' | 'POST',
    headers: Readonly<Record<string, string | number>>,
  ): ClientRequest;
  /** Over TLS, the certificate identifies the server on any connection. */
  isProven(request: ClientRequest): boolean;
}

/** Throws on an invalid URL. Opens no connection. */
function connectionTo(url: string): Connection {
  const base = new URL(url);
  const isTls = base.protocol === 'https:';
  const { Agent, request } = isTls ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const prefix = base.pathname.replace(/\/+$/, '');
  return {
    agent,
    request: (path, method, headers) =>
      request(new URL(`${prefix}${path}`, base), { method, agent, headers }),
    isProven: ({ reusedSocket }) => isTls || reusedSocket,
  };
}

export function failure(
  { cause, reason }: Extract<ConverseReply, { state: 'failed' }>,
  { timeoutMs }: CollectorConnectionOptions,
): Retry {
  return {
    state: 'retry',
    cause,
    reason: cause === 'timeout' ? `no answer within ${timeoutMs} ms` : reason,
  };
}

/** 4xx about the moment, not the body: request timeout, too early, too many requests. */
const busyStatuses = new Set([408, 425, 429]);

export function isBusy(status: number): boolean {
  return status >= 500 || busyStatuses.has(status);
}

export function busy(
  { status, retryAfter }: ConverseAnswered,
  { nowMs }: CollectorConnectionOptions,
): Retry {
  const retryAfterMs = parseRetryAfterMs(retryAfter, nowMs());
  return {
    state: 'retry',
    cause: 'busy',
    reason: `status ${status}`,
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
  };
}

/** A collector cannot delay a producer for longer than this. */
const retryAfterMaxMs = 60 * 60 * 1000;

/** `Retry-After` as seconds or as an HTTP date (RFC 9110, 10.2.3); null if missing or invalid. */
function parseRetryAfterMs(value: string | undefined, nowMs: number): number | null {
  if (value === undefined) return null;
  const delayMs = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - nowMs;
  return Number.isNaN(delayMs) ? null : Math.min(Math.max(0, delayMs), retryAfterMaxMs);
}
