/** A receiver of e-mail on this machine, which answers as it is told. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';
import type { MailServer } from '../../../../../collector/config/mail.ts';
import type { CertificateFiles } from '../../../../support/certificate.ts';

interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly login: string | null;
  readonly isEncrypted: boolean;
  /** What the sender says that it is. */
  readonly host: string;
  /** Decoded, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

interface Behaviour {
  /** Null: it offers no TLS. */
  readonly tls?: ({ readonly mode: 'always' | 'required' } & CertificateFiles) | null;
  /** Undefined: nobody is asked to log in. */
  readonly password?: string;
  /** What the n-th message gets, from 0; 250 by default. */
  readonly answer?: (n: number) => number;
  /** That it refuses for good. */
  readonly unknown?: readonly string[];
  readonly isSilent?: true;
  /** Default: true. */
  readonly offersLogin?: false;
}

export const password = 'p@ss word:/%';

export async function startMailServer(behaviour: Behaviour = {}) {
  const { tls = null, answer = () => 250, unknown = [] } = behaviour;
  const received: Received[] = [];
  const logins: string[] = [];
  let connections = 0;
  let messages = 0;
  const server = new SMTPServer({
    ...settingsOf(behaviour),
    onConnect(_session, done) {
      connections += 1;
      if (behaviour.isSilent === undefined) done();
    },
    onAuth({ username, password: given }, _session, done) {
      logins.push(username ?? '');
      if (given === behaviour.password) done(null, { user: username });
      else done(null, {});
    },
    onRcptTo({ address }, _session, done) {
      done(unknown.includes(address) ? refusal(550) : null);
    },
    onData(stream, { envelope, user, secure, hostNameAppearsAs: host }, done) {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        const status = answer(messages);
        messages += 1;
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        const message = readMessage(Buffer.concat(pieces).toString('latin1'));
        received.push({ from, to, login: user ?? null, isEncrypted: secure, host, ...message });
        done(status === 250 ? null : refusal(status));
      });
    },
  });
  server.on('error', () => undefined); // a client that does not trust it hangs up
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const login = behaviour.password === undefined ? null : { user: 'ledger', password };
  const at: MailServer = { host: '127.0.0.1', port, tls: tls?.mode ?? 'none', login };
  return { at, received, logins, connections: () => connections };
}

function settingsOf({ tls = null, password: asked, offersLogin }: Behaviour): SMTPServerOptions {
  const isOffered = tls !== null;
  return {
    ...(isOffered
      ? { key: readFileSync(tls.keyPath), cert: readFileSync(tls.certPath) }
      : {
          disabledCommands: ['STARTTLS', ...(offersLogin === false ? ['AUTH'] : [])],
          allowInsecureAuth: true,
        }),
    secure: tls?.mode === 'always',
    authOptional: asked === undefined,
    closeTimeout: 100,
  };
}

function refusal(responseCode: number): Error {
  return Object.assign(new Error('no, s3cr3t-answer'), { responseCode });
}

function readMessage(message: string): Pick<Received, 'headers' | 'text'> {
  const end = message.indexOf('\r\n\r\n');
  const lines = message
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), wordsIn(line.slice(colon + 1).trim())];
  });
  return { headers: Object.fromEntries(headers), text: unquoted(message.slice(end + 4)) };
}

/** RFC 2047. */
function wordsIn(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?([QB])\?(.*?)\?=/gi, (_, kind: string, text: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString()
        : unquoted(text.replaceAll('_', ' ')),
    );
}

/** Quoted-printable, RFC 2045. */
function unquoted(text: string): string {
  const bytes = text
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  return Buffer.from(bytes, 'latin1').toString();
}
