/** Notices as Slack's incoming webhooks take them. Pure. */
import { contextOf, type StoredCrossing, sentenceOf } from '../notice.ts';

export function slackMessage(crossing: StoredCrossing) {
  return slackText(sentenceOf(crossing), contextOf(crossing.event.data));
}

/** With verbatim text no name becomes a mention or a link; nothing is unfurled. */
export function slackText(text: string, context: string | null = null) {
  const mrkdwn = (plain: string) => ({ type: 'mrkdwn', text: escaped(plain), verbatim: true });
  return {
    text: escaped(text),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'section', text: mrkdwn(text) },
      ...(context === null ? [] : [{ type: 'context', elements: [mrkdwn(context)] }]),
    ],
  };
}

/** https://docs.slack.dev/messaging/formatting-message-text: the three that begin something. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
