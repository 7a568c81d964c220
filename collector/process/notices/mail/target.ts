/** E-mail as a place that notices of budgets go to: one message to all who are named. */
import { createHash } from 'node:crypto';
import type { Mail } from '../../../config/mail.ts';
import { contextOf, isDue, sentenceOf } from '../notice.ts';
import type { SendOptions, Target } from '../target.ts';
import { type Letter, submit } from './submit.ts';

type Written = Omit<Letter, 'id'>;

export function mailTarget(mail: Mail, options: SendOptions): Target {
  const { server, from, to } = mail;
  const address = JSON.stringify([server.host, server.port, from, to]);
  return {
    name: `mail-${createHash('sha256').update(address).digest('hex').slice(0, 12)}`,
    shown: `${to.length === 1 ? '1 address' : `${to.length} addresses`} by ${server.host}`,
    format: 'email',
    bodyOf(crossing) {
      const { data } = crossing.event;
      if (!isDue(data)) return null;
      const sentence = sentenceOf(crossing);
      return letter(sentence.replace(/\.$/, ''), [sentence, contextOf(data), advice]);
    },
    testBody: () => letter('A test by pi-ledger', ['Notices of budgets arrive here.']),
    send: ({ id, body }, signal) =>
      submit(mail, { id, ...(JSON.parse(body) as Written) }, options, signal),
  };
}

const advice = '`pi-ledger budgets` shows how it stands now.';

function letter(subject: string, paragraphs: readonly string[]): string {
  return JSON.stringify({ subject, text: `${paragraphs.join('\n\n')}\n` } satisfies Written);
}
