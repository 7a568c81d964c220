/**
 * Where notices of budgets go, from `config.json`:
 *
 *     "webhooks": [
 *       { "url": "https://hooks.slack.com/services/...", "format": "slack" },
 *       { "url": "https://ops.example/budgets", "format": "json", "secret": "whsec_..." }
 *     ]
 *
 * Each problem is named with its key and what was expected, and never with its value: addresses and
 * secrets are secret. A webhook with a problem is left out.
 */
import type { Complain, ValueReader } from '@pi-ledger/contract/settings/plain-readers';
import { isLoopback } from './host.ts';
import { isRecord } from './rule-texts.ts';
import { decodeSecret, secretExpected } from './webhook-secret.ts';

/** Where notices of budgets are sent. */
export interface Webhook {
  readonly url: URL;
  /** Requests are not signed when it is null. */
  readonly secret: string | null;
  readonly format: 'slack' | 'json';
}

const webhooksMax = 10;
const keys = ['url', 'format', 'secret', 'allowHttp'];

export const webhooksReader: ValueReader<readonly Webhook[]> = {
  read(value, complain) {
    if (!Array.isArray(value)) return undefined;
    const seen = new Set<string>();
    for (let index = webhooksMax; index < value.length; index++)
      complain(`webhooks[${index}]`, hidden, `no more than ${webhooksMax} webhooks`);
    return value.slice(0, webhooksMax).flatMap((each: unknown, index) => {
      const key = `webhooks[${index}]`;
      const webhook = readWebhook(each, key, complain);
      if (webhook === null) return [];
      if (!seen.has(webhook.url.href)) return [seen.add(webhook.url.href) && webhook];
      complain(`${key}.url`, hidden, 'an address that no other webhook has');
      return [];
    });
  },
  expected: `a list of up to ${webhooksMax} webhooks`,
};

/** In place of what was written. */
const hidden = '...';

function readWebhook(value: unknown, key: string, complain: Complain): Webhook | null {
  if (!isRecord(value)) {
    complain(key, hidden, 'an object with "url" and "format"');
    return null;
  }
  const unknown = Object.keys(value).filter((name) => !keys.includes(name));
  for (const name of unknown)
    complain(`${key}.${name}`, hidden, `no such key: a webhook has ${keys.join(', ')}`);
  const { url: address, format, secret = null, allowHttp = false } = value;
  const url = parseAddress(address, allowHttp === true);
  if (url === null) complain(`${key}.url`, hidden, addressExpected);
  const known = formats.find((each) => each === format);
  if (known === undefined) complain(`${key}.format`, format, '"slack" or "json"');
  const isSecret = secret === null || (typeof secret === 'string' && decodeSecret(secret) !== null);
  if (!isSecret) complain(`${key}.secret`, hidden, secretExpected);
  if (typeof allowHttp !== 'boolean') complain(`${key}.allowHttp`, allowHttp, 'true or false');
  const isWhole = unknown.length === 0 && typeof allowHttp === 'boolean';
  return isWhole && url !== null && known !== undefined && isSecret
    ? { url, secret, format: known }
    : null;
}

const formats: readonly Webhook['format'][] = ['slack', 'json'];
const addressExpected =
  'an https address without user, password or fragment ' +
  '(http on this machine, or with "allowHttp": true)';

function parseAddress(value: unknown, allowsHttp: boolean): URL | null {
  const url = typeof value === 'string' && value.length <= 2_000 ? URL.parse(value) : null;
  if (url === null || `${url.username}${url.password}${url.hash}` !== '') return null;
  const isLocal = isLoopback(url.hostname.replace(/^\[|\]$/g, ''));
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && (isLocal || allowsHttp));
  return isSafe ? url : null;
}
