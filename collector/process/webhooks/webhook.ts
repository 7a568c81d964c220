/** Where notices of budgets are sent, as `webhooks` in `config.json` says. */
import { createHash } from 'node:crypto';

export interface Webhook {
  readonly url: URL;
  /** Null: requests are not signed. */
  readonly secret: string | null;
  readonly format: 'slack' | 'json';
}

/** Of its subscriber: never changed for one address. */
export function nameOf({ url }: Webhook): string {
  return `webhook-${createHash('sha256').update(url.href).digest('hex').slice(0, 12)}`;
}

/** What may be shown of it: a path may be a secret, as Slack's is. */
export function shownOf({ url }: Webhook): string {
  return url.pathname === '/' && url.search === '' ? url.origin : `${url.origin}/...`;
}
