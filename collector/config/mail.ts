/**
 * Who is told of budgets by e-mail, from `config.json`:
 *
 *     "mail": {
 *       "server": "smtps://ledger:PASSWORD@smtp.example",
 *       "from": "ledger@example.com",
 *       "to": ["lead@example.com"]
 *     }
 *
 * Each problem is named with its key and what was expected, and never with its value: the server's
 * address holds a password. Mail with a problem is not sent.
 */
import type { Complain, ValueReader } from '@pi-ledger/contract/settings/plain-readers';
import { isLoopback } from './host.ts';
import { isRecord } from './rule-texts.ts';

export interface Mail {
  readonly server: MailServer;
  readonly from: string;
  readonly to: readonly string[];
}

export interface MailServer {
  readonly host: string;
  readonly port: number;
  /**
   * `always`: from the first byte. `required`: by STARTTLS, or nothing is sent. `if offered`: by
   * STARTTLS where there is one. `none`: to this machine.
   */
  readonly tls: 'always' | 'required' | 'if offered' | 'none';
  /** It is null where no login is asked for. */
  readonly login: { readonly user: string; readonly password: string } | null;
}

const keys = ['server', 'from', 'to', 'allowPlain'];
const toMax = 10;

export const mailReader: ValueReader<Mail | null> = {
  read(value, complain) {
    if (value === null) return null;
    if (!isRecord(value)) return undefined;
    const unknown = Object.keys(value).filter((name) => !keys.includes(name));
    for (const name of unknown)
      complain(`mail.${name}`, hidden, `no such key: mail has ${keys.join(', ')}${so}`);
    const mail = readMail(value, complain);
    return unknown.length === 0 ? mail : null;
  },
  expected: 'an object with "server", "from" and "to"',
};

/** In place of what was written. */
const hidden = '...';
/** Otherwise it would seem that only the key that is named is left out. */
const so = '; no e-mail is sent';

function readMail(
  { server: address, from, to, allowPlain = false }: Readonly<Record<string, unknown>>,
  complain: Complain,
): Mail | null {
  const server = readServer(address, allowPlain === true);
  const receivers = receiversIn(to, complain);
  const sender = isAddress(from) ? from : null;
  if (server === null) complain('mail.server', hidden, serverExpected);
  if (sender === null) complain('mail.from', hidden, `${addressExpected}${so}`);
  if (receivers === null)
    complain(
      'mail.to',
      hidden,
      `a list of 1 to ${toMax} of such addresses: ${addressExpected}${so}`,
    );
  if (typeof allowPlain !== 'boolean') complain('mail.allowPlain', hidden, `true or false${so}`);
  if (server === null || sender === null || receivers === null) return null;
  return typeof allowPlain === 'boolean' ? { server, from: sender, to: receivers } : null;
}

const addressExpected = 'an address such as "lead@example.com"';

/** No name beside it, no list, nothing that could begin another header. */
function isAddress(value: unknown): value is string {
  const written = /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}]{1,255}$/u;
  return typeof value === 'string' && written.test(value);
}

/** One bad address is no reason to tell nobody: it is left out. Returns null when none is left. */
function receiversIn(value: unknown, complain: Complain): readonly string[] | null {
  if (!Array.isArray(value)) return null;
  const found = value.flatMap((each: unknown, index): string[] => {
    const isFit = isAddress(each) && index < toMax;
    if (!isFit)
      complain(`mail.to[${index}]`, hidden, index < toMax ? addressExpected : `at most ${toMax}`);
    return isFit ? [each] : [];
  });
  return found.length === 0 ? null : [...new Set(found)];
}

const serverExpected =
  '"smtps://user:password@host", or "smtp://user:password@host" where the server offers STARTTLS ' +
  `(in user and password write @ as %40, # as %23, / as %2F)${so}`;

function readServer(value: unknown, allowsPlain: boolean): MailServer | null {
  const url = parseSmtpUrl(value);
  const login = url === null ? undefined : loginIn(url);
  if (url === null || login === undefined) return null;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isSecure = url.protocol === 'smtps:';
  const isHere = !isSecure && isLoopback(host);
  return {
    // A name server could say that another machine is called so.
    host: isHere && host === 'localhost' ? '127.0.0.1' : host,
    port: url.port === '' ? (isSecure ? 465 : 587) : Number(url.port),
    tls: isSecure ? 'always' : isHere ? 'none' : allowsPlain ? 'if offered' : 'required',
    login,
  };
}

/** Returns null for anything but the address of a server alone. */
function parseSmtpUrl(value: unknown): URL | null {
  const url = typeof value === 'string' && value.length <= 2_000 ? URL.parse(value) : null;
  if (url === null || !['smtp:', 'smtps:'].includes(url.protocol)) return null;
  const { hostname, pathname, search, hash } = url;
  const isBare = `${search}${hash}` === '' && ['', '/'].includes(pathname);
  return isBare && /^[\w.:[\]-]+$/.test(hostname) ? url : null;
}

/** Undefined: half of one, or one that is encoded wrongly. */
function loginIn({ username, password }: URL): MailServer['login'] | undefined {
  if (username === '' && password === '') return null;
  const [user, secret] = [decoded(username), decoded(password)];
  return user && secret ? { user, password: secret } : undefined;
}

/** Returns null where the percent-encoding is broken. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
