/** Notices as Slack's incoming webhooks take them. Pure. */
import { contextOf, type StoredCrossing, sentenceOf } from '../notice.ts';

/** `page`: of the budget; null: nobody there could open it. */
export function slackMessage(crossing: StoredCrossing, page: string | null) {
  const context = written(contextOf(crossing.event.data));
  const link = page === null ? [] : [mrkdwn(`<${page}|Open the budget>`)];
  return slackText(sentenceOf(crossing), [context, ...link]);
}

/** Nothing is unfurled. */
export function slackText(text: string, context: readonly Mrkdwn[] = []) {
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
