/** A webhook as a place that notices go to: Slack is told in its words, programs in JSON. */
import type { Webhook } from '../../../config/webhooks.ts';
import { isDue, sentenceOf } from '../notice.ts';
import { type SendOptions, subscriberName, type Target } from '../target.ts';
import { post } from './post.ts';
import { slackMessage, slackText } from './slack.ts';

export function webhookTarget(webhook: Webhook, options: SendOptions): Target {
  const { url, format } = webhook;
  return {
    name: subscriberName('webhook', url.href),
    shown: shownOf(url),
    format,
    /** Programs are told of every crossing, also down: they may have to close what they opened. */
    bodyOf(crossing) {
      const { event, receivedAtMs } = crossing;
      const { type, id, data } = event;
      const page = options.pageOf?.(data.budget) ?? null;
      if (format === 'slack')
        return isDue(data) ? JSON.stringify(slackMessage(crossing, page)) : null;
      const at = new Date(receivedAtMs).toISOString();
      const link = page === null ? {} : { page };
      return JSON.stringify({ type, id, at, text: sentenceOf(crossing), ...link, ...data });
    },
    testBody(id, at) {
      const text = 'A test by pi-ledger: notices of budgets arrive here.';
      return JSON.stringify(format === 'slack' ? slackText(text) : { type: 'test', id, at, text });
    },
    send: (message, signal) => post(webhook, message, options, signal),
  };
}

/** A path may be a secret, as Slack's is. */
function shownOf({ pathname, search, origin }: URL): string {
  return pathname === '/' && search === '' ? origin : `${origin}/...`;
}
