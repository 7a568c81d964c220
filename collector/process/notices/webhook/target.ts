/** A webhook as a place that notices go to: Slack is told in its words, programs in JSON. */
import type { Webhook } from '../../../config/webhooks.ts';
import { isDue, type StoredCrossing, writeContext, writeSentence } from '../notice.ts';
import { type SendOptions, subscriberName, type Target } from '../target.ts';
import { post } from './post.ts';

export function webhookTarget(webhook: Webhook, options: SendOptions): Target {
  const { url, format } = webhook;
  return {
    name: subscriberName('webhook', url.href),
    shown: shownUrl(url),
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
      return JSON.stringify({ type, id, at, text: writeSentence(crossing), ...link, ...data });
    },
    testBody(id, at) {
      const text = 'A test by pi-ledger: notices of budgets arrive here.';
      return JSON.stringify(format === 'slack' ? slackText(text) : { type: 'test', id, at, text });
    },
    send: (message, signal) => post(webhook, message, options, signal),
  };
}

/** A path may be a secret, as Slack's is. */
function shownUrl({ pathname, search, origin }: URL): string {
  return pathname === '/' && search === '' ? origin : `${origin}/...`;
}

// Notices as Slack's incoming webhooks take them. Pure.

/** `page`: of the budget; null: nobody there could open it. */
function slackMessage(crossing: StoredCrossing, page: string | null) {
  const context = written(writeContext(crossing.event.data));
  const link = page === null ? [] : [mrkdwn(`<${page}|Open the budget>`)];
  return slackText(writeSentence(crossing), [context, ...link]);
}

/** Nothing is unfurled. */
function slackText(text: string, context: readonly Mrkdwn[] = []) {
  return {
    text: escaped(text),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'section', text: written(text) },
      ...(context.length === 0 ? [] : [{ type: 'context', elements: context }]),
    ],
  };
}

type Mrkdwn = ReturnType<typeof mrkdwn>;

/** Verbatim: no name becomes a mention or a link. */
function mrkdwn(text: string) {
  return { type: 'mrkdwn', text, verbatim: true };
}

function written(plain: string): Mrkdwn {
  return mrkdwn(escaped(plain));
}

/** https://docs.slack.dev/messaging/formatting-message-text: the three that begin something. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
