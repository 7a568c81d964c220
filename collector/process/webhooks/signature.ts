/**
 * Signs requests by Standard Webhooks 1.0 (https://www.standardwebhooks.com): HMAC-SHA256 over
 * `<id>.<timestamp>.<body>`, in Base64, so that libraries for many languages verify it.
 */
import { createHmac } from 'node:crypto';

export interface Signed {
  /** Of the delivery: the same with each attempt. */
  readonly id: string;
  /** Of the attempt, in seconds: a receiver refuses those that are too old. */
  readonly timestamp: number;
  readonly body: string;
}

/** `secret`: `whsec_` and Base64, or any other text, whose bytes in UTF-8 are the key. */
export function signatureOf(secret: string, { id, timestamp, body }: Signed): string {
  const key = secret.startsWith(prefix)
    ? Buffer.from(secret.slice(prefix.length), 'base64')
    : Buffer.from(secret);
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return `v1,${digest}`;
}

const prefix = 'whsec_';
