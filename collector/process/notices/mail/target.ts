/** An e-mail address as a place that notices go to. */
import { contextOf, isDue, sentenceOf } from '../notice.ts';
import { type SendOptions, subscriberName, type Target } from '../target.ts';
import { type Letter, type Route, submit } from './submit.ts';

type Written = Omit<Letter, 'id'>;

export function mailTarget(route: Route, options: SendOptions): Target {
  const { server, to } = route;
  return {
    // Of the address alone: what waits is sent by another server, too, once that is put right.
    name: subscriberName('mail', to),
    shown: `...${to.slice(to.indexOf('@'))} via ${server.host}`,
    format: 'email',
    bodyOf(crossing) {
      const { data } = crossing.event;
      if (!isDue(data)) return null;
      const sentence = sentenceOf(crossing);
      const page = options.pageOf?.(data.budget);
      return letter(sentence.replace(/\.$/, ''), [
        ...[sentence, contextOf(data)],
        page === undefined ? advice : `${page}\n${advice}`,
      ]);
    },
    testBody: () => letter('A test by pi-ledger', ['Notices of budgets arrive here.']),
    send: ({ id, body }, signal) =>
      submit(route, { id, ...(JSON.parse(body) as Written) }, options, signal),
  };
}

const advice = '`pi-ledger budgets` shows how it stands now.';

function letter(subject: string, paragraphs: readonly string[]): string {
  const text = `${paragraphs.join('\n\n')}\n`;
  // What is named so could otherwise be read as an encoded word (RFC 2047), with any characters.
  return JSON.stringify({ subject: subject.replaceAll('=?', '= ?'), text } satisfies Written);
}
