/**
 * Removes secrets from a git remote. Web addresses lose user and password, ssh addresses the
 * password (a plain user name is harmless), and both lose query, fragment and anything but a number
 * in place of the port. `git@host:path` and local paths are unchanged.
 *
 * Handles every spelling that a configuration may hold, valid or not: from anything that is not
 * clearly one of these forms, everything up to the last `@` is removed, even if useful parts are
 * lost. Cannot recognise an unmarked secret, such as a token in a path.
 */
export function withoutCredentials(remote: string): string {
  const plain = remote.replace(invisible, '').trim();
  if (plain.length > remoteCharsMax) return '';
  const helper = /^(?:[a-z][a-z0-9+.-]{0,63}::)+/i.exec(plain)?.[0] ?? '';
  return runsCommand.test(helper) ? helper : helper + cleaned(plain.slice(helper.length));
}

/** No remote is this long; truncating could cut a secret so that it is not recognised. */
const remoteCharsMax = 4096;
/** Control and invisible characters. */
const invisible = /[\p{Cc}\p{Cf}]/gu;
/** These run a command line, which may contain anything. */
const runsCommand = /(^|:)(ext|fd)::/i;

function cleaned(text: string): string {
  const readable = decoded(text);
  if (!readable.includes('@')) return cleanedHost(text);
  return cleanedAddress(text) ?? (isPlainPlace(text, readable) ? text : afterLastAt(readable));
}

/**
 * `scheme://user:password@host:port/path?query`. An `@` in the path is accepted only in an address
 * without user and port. Null for anything else.
 */
function cleanedAddress(text: string): string | null {
  const [, scheme = '', user = '', host = '', port = '', path = '', query = ''] =
    address.exec(text) ?? [];
  const [way, asked] = [decoded(path), decoded(query)];
  const isOdd = way.includes(':')
    ? (way + asked).includes('@')
    : way.includes('@') && user + port !== '';
  if (scheme === '' || isOdd) return null;
  const name = decoded(user).split(':')[0] ?? '';
  const kept = /ssh/i.test(scheme) && isPlainName(name) ? `${name}@` : '';
  return scheme + kept + host + port + path;
}

const address = new RegExp(
  [
    String.raw`^([a-z][a-z0-9+.-]+:\/\/)`,
    String.raw`(?:([^/\\?#@]*)@)?`,
    String.raw`([a-z0-9._~-]+|\[[0-9a-f:.%]+\])`,
    String.raw`(:\d{1,5})?`,
    String.raw`(\/[^?#]*)?`,
    '([?#].*)?$',
  ].join(''),
  'is',
);

/** `user@host:path`, or a path with an `@` that cannot be a password. */
function isPlainPlace(text: string, readable: string): boolean {
  if (/^\[?[a-z0-9_][a-z0-9._-]{0,63}@[^@:]+:[^@]*$/i.test(text))
    return readable.indexOf('@') === readable.lastIndexOf('@');
  return !readable.includes(':') && !/^[/\\]{2}/.test(readable);
}

/** What follows the last `@` is the host; everything before it only says how to reach it. */
function afterLastAt(readable: string): string {
  const scheme = /^(\[|[a-z][a-z0-9+.-]+:[/\\]+|[/\\]{2})?/i.exec(readable)?.[0] ?? '';
  return cleanedHost(scheme + readable.slice(readable.lastIndexOf('@') + 1));
}

/** Removes the query and an invalid port. Only after a scheme: elsewhere a colon starts a path. */
function cleanedHost(text: string): string {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]+:[/\\]{2,})([^?#]*)/is.exec(text) ?? [];
  if (scheme === '' || rest.startsWith('[')) return scheme === '' ? text : scheme + rest;
  const end = /[/\\]/.exec(rest)?.index ?? rest.length;
  const [host = '', port = ''] = rest.slice(0, end).split(':');
  return `${scheme}${host}${/^\d{1,5}$/.test(port) ? `:${port}` : ''}${rest.slice(end)}`;
}

/** Decodes `@`, `:` and slashes, however often they were encoded. */
function decoded(text: string): string {
  let readable = text;
  for (let round = 0; round < roundsMax && readable.includes('%'); round += 1) {
    readable = readable.replace(/%(25|40|3a|2f|5c)/gi, (_match, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  }
  return readable;
}

const roundsMax = 5;

const isPlainName = (text: string): boolean => /^[a-z0-9_][a-z0-9._-]{0,63}$/i.test(text);
