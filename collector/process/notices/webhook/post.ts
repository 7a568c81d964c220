/**
 * One attempt at a delivery. Redirects are not followed: they could lead a notice elsewhere. What
 * the endpoint answers is not read beyond its status: it could repeat a secret.
 */
import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { decodeSecret } from '../../../config/webhook-secret.ts';
import type { Webhook } from '../../../config/webhooks.ts';
import type { Attempt, Message, SendOptions } from '../target.ts';

const sendMsMax = 10_000;

/** Rejects only when `signal` is aborted, soon after. */
export async function post(
  webhook: Webhook,
  message: Message,
  { version, timeoutMs = sendMsMax, now }: Omit<SendOptions, 'pageOf'>,
  signal: AbortSignal,
): Promise<Attempt> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const headers = requestHeaders(webhook, message, version, now());
  try {
    const { statusCode = 0, headers: answered } = await exchange(
      webhook.url,
      { headers, signal: AbortSignal.any([signal, deadline]) },
      message.body,
    );
    return judgeStatus(statusCode, answered['retry-after'], now());
  } catch (error) {
    signal.throwIfAborted();
    const seconds = Math.ceil(timeoutMs / 1_000);
    const detail = deadline.aborted ? `no answer within ${seconds} s` : errorCode(error);
    return { is: 'failed', detail, retryAfterMs: null };
  }
}

function requestHeaders(
  { secret }: Webhook,
  { id, body }: Message,
  version: string,
  nowMs: number,
): Record<string, string | number> {
  const timestamp = Math.floor(nowMs / 1_000);
  return {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'user-agent': `pi-ledger/${version}`,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    ...(secret === null ? {} : { 'webhook-signature': sign(secret, { id, timestamp, body }) }),
  };
}

interface Exchange {
  readonly headers: Record<string, string | number>;
  readonly signal: AbortSignal;
}

/** Resolves with the head of the answer; its body is thrown away with the connection. */
async function exchange(url: URL, options: Exchange, body: string): Promise<IncomingMessage> {
  const { request } =
    url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent: false, ...options }, (answer) => {
      resolve(answer);
      answer.on('error', () => undefined).destroy();
    });
    sent.on('error', reject).end(body);
  });
}

function judgeStatus(status: number, retryAfter: string | undefined, nowMs: number): Attempt {
  const detail = `HTTP ${status}`;
  if (status >= 200 && status <= 299) return { is: 'delivered', detail, retryAfterMs: null };
  if (status >= 300 && status <= 399)
    return { is: 'refused', detail: `${detail}: redirects are not followed`, retryAfterMs: null };
  const isPassing = status >= 500 || passing.has(status);
  if (!isPassing) return { is: 'refused', detail, retryAfterMs: null };
  return { is: 'failed', detail, retryAfterMs: pauseIn(retryAfter, nowMs) };
}

/** Too slow, too early, too many. */
const passing: ReadonlySet<number> = new Set([408, 425, 429]);

/** Seconds, or a date. */
function pauseIn(text: string | undefined, nowMs: number): number | null {
  if (text === undefined) return null;
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

/** `ECONNREFUSED`: messages could contain the address. */
function errorCode(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return errorCode(error.errors[0]);
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : 'the connection failed';
}

// Signs requests by Standard Webhooks 1.0 (https://www.standardwebhooks.com): HMAC-SHA256 over
// `<id>.<timestamp>.<body>`, in Base64, so that libraries for many languages verify it.

interface Signed {
  /** It is the delivery's: the same with each attempt. */
  readonly id: string;
  /** It is the attempt's, in seconds: a receiver refuses those that are too old. */
  readonly timestamp: number;
  readonly body: string;
}

/** Throws for a `secret` that the settings refuse; the message does not hold it. */
function sign(secret: string, { id, timestamp, body }: Signed): string {
  const key = decodeSecret(secret);
  if (key === null) throw new TypeError('The secret of a webhook is no key.');
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return `v1,${digest}`;
}
