/** How the places that notices of budgets are sent to are called and shown. */
import { createHash } from 'node:crypto';
import type { Webhook } from '../../config/webhooks.ts';

/** Of its subscriber: never changed for one address. */
export function nameOf({ url }: Webhook): string {
  return `webhook-${createHash('sha256').update(url.href).digest('hex').slice(0, 12)}`;
}

/** What may be shown of it: a path may be a secret, as Slack's is. */
export function shownOf({ url }: Webhook): string {
  return url.pathname === '/' && url.search === '' ? url.origin : `${url.origin}/...`;
}
