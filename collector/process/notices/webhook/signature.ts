/**
 * Signs requests by Standard Webhooks 1.0 (https://www.standardwebhooks.com): HMAC-SHA256 over
 * `<id>.<timestamp>.<body>`, in Base64, so that libraries for many languages verify it.
 */
import { createHmac } from 'node:crypto';
import { keyOf } from '../../../config/webhook-secret.ts';

export interface Signed {
  /** It is the delivery's: the same with each attempt. */
  readonly id: string;
  /** It is the attempt's, in seconds: a receiver refuses those that are too old. */
  readonly timestamp: number;
  readonly body: string;
}

/** Throws for a `secret` that the settings refuse; the message does not hold it. */
export function signatureOf(secret: string, { id, timestamp, body }: Signed): string {
  const key = keyOf(secret);
  if (key === null) throw new TypeError('The secret of a webhook is no key.');
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return `v1,${digest}`;
}
