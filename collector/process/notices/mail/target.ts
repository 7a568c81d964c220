/** An e-mail address as a place that notices go to. */
import type { NodemailerError, SMTPTransportOptions } from 'nodemailer';
import type { Mail, MailServer } from '../../../config/mail.ts';
import { isDue, writeContext, writeSentence } from '../notice.ts';
import { type Attempt, type SendOptions, subscriberName, type Target } from '../target.ts';

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
      const sentence = writeSentence(crossing);
      const page = options.pageOf?.(data.budget);
      return letter(sentence.replace(/\.$/, ''), [
        ...[sentence, writeContext(data)],
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

// One attempt to hand a message to an SMTP server. Certificates are checked; of what the server
// says only the code is kept: the rest could repeat an address.

/** To one address: what one of several would not take could not be sent again to it alone. */
interface Route extends Omit<Mail, 'to'> {
  readonly to: string;
}

interface Letter {
  /** It is the delivery's: repeats have the same Message-ID. */
  readonly id: string;
  readonly subject: string;
  readonly text: string;
}

/** A server may read a message before it answers. */
const sendMsMax = 60_000;

/** Rejects only when `signal` is aborted, soon after. */
export async function submit(
  { server, from, to }: Route,
  { id, subject, text }: Letter,
  { timeoutMs = sendMsMax, now }: Pick<SendOptions, 'timeoutMs' | 'now'>,
  signal: AbortSignal,
): Promise<Attempt> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const domain = from.slice(from.indexOf('@') + 1);
  try {
    const { createTransport } = await import('nodemailer');
    await createTransport(transportOptions(server, domain)).sendMail({
      ...{ from, to, subject, text, date: new Date(now()) },
      messageId: `<${id}@${domain}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal: AbortSignal.any([signal, deadline]),
    });
    return { is: 'delivered', detail: 'accepted', retryAfterMs: null };
  } catch (error) {
    signal.throwIfAborted();
    if (!deadline.aborted) return judgeError(error as NodemailerError);
    const detail = `no answer within ${Math.ceil(timeoutMs / 1_000)} s`;
    return { is: 'failed', detail, retryAfterMs: null };
  }
}

/** `domain`: what this machine is called to the server; some refuse one without a full name. */
function transportOptions(
  { host, port, tls, login }: MailServer,
  domain: string,
): SMTPTransportOptions {
  return {
    ...{ host, port, name: domain, secure: tls === 'always' },
    ...(tls === 'required' ? { requireTLS: true } : {}),
    ...(tls === 'none' ? { ignoreTLS: true } : {}),
    ...(login === null
      ? {}
      : { auth: { user: login.user, pass: login.password }, forceAuth: true }),
    ...{ disableFileAccess: true, disableUrlAccess: true },
  };
}

/** What settings can put right is tried again: the login, the sender, encryption. */
function judgeError(error: NodemailerError): Attempt {
  const { code = '', command, responseCode, permanent, originalCode } = error;
  const isOfMessage = code === 'EMESSAGE' || (code === 'EENVELOPE' && command === 'RCPT TO');
  const isFinal = permanent === true && isOfMessage && responseCode !== 530;
  const detail =
    responseCode === undefined
      ? originalCode || code || 'the connection failed'
      : `SMTP ${responseCode}${reasons[code] ?? ''}`;
  return { is: isFinal ? 'refused' : 'failed', detail, retryAfterMs: null };
}

/** By Nodemailer's codes. */
const reasons: Readonly<Record<string, string>> = {
  EAUTH: ': the login was not accepted',
  ETLS: ': no STARTTLS',
};
