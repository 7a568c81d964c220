/**
 * One attempt to hand a message to an SMTP server. Certificates are checked; of what the server
 * says only the code is kept: the rest could repeat an address.
 */
import type { NodemailerError, SMTPTransportOptions } from 'nodemailer';
import type { Mail, MailServer } from '../../../config/mail.ts';
import { type Attempt, type SendOptions, sendMsMax } from '../target.ts';

export interface Letter {
  /** Of the delivery: repeats have the same Message-ID. */
  readonly id: string;
  readonly subject: string;
  readonly text: string;
}

/** Rejects only when `signal` is aborted, soon after. */
export async function submit(
  { server, from, to }: Mail,
  { id, subject, text }: Letter,
  { timeoutMs = sendMsMax, now }: Omit<SendOptions, 'version'>,
  signal: AbortSignal,
): Promise<Attempt> {
  signal.throwIfAborted();
  const { createTransport } = await import('nodemailer');
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    const { accepted, rejected } = await createTransport(optionsOf(server)).sendMail({
      ...{ from, to: [...to], subject, text, date: new Date(now()) },
      messageId: `<${id}@${from.slice(from.indexOf('@') + 1)}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal: AbortSignal.any([signal, deadline]),
    });
    const all = accepted.length + rejected.length;
    const detail = rejected.length === 0 ? 'taken' : `taken for ${accepted.length} of ${all}`;
    return { is: 'delivered', detail, retryAfterMs: null };
  } catch (error) {
    signal.throwIfAborted();
    if (!deadline.aborted) return attemptOf(error as NodemailerError);
    const detail = `no answer within ${Math.ceil(timeoutMs / 1_000)} s`;
    return { is: 'failed', detail, retryAfterMs: null };
  }
}

function optionsOf({ host, port, tls, login }: MailServer): SMTPTransportOptions {
  return {
    ...{ host, port, secure: tls === 'always' },
    ...(tls === 'upgrade' ? { requireTLS: true } : { ignoreTLS: true }),
    ...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
    ...{ disableFileAccess: true, disableUrlAccess: true },
  };
}

/** A wrong password can be put right within the day that a notice waits. */
function attemptOf({ code = '', responseCode, permanent, originalCode }: NodemailerError): Attempt {
  const isFinal = permanent === true && (code === 'EENVELOPE' || code === 'EMESSAGE');
  const detail =
    responseCode === undefined
      ? (originalCode ?? code)
      : `SMTP ${responseCode}${commands[code] ?? ''}`;
  return { is: isFinal ? 'refused' : 'failed', detail, retryAfterMs: null };
}

/** What the server would not do, by Nodemailer's codes. */
const commands: Readonly<Record<string, string>> = {
  EAUTH: ': the login is refused',
  ETLS: ': no STARTTLS',
};
