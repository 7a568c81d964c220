/**
 * A git remote without secrets. From web addresses go user and password, from ssh the password (its
 * user says nothing, if it is a plain name), from both the query, the fragment and what stands
 * where a port should. `git@host:path` and local paths stay as they are.
 *
 * Written for every spelling that a configuration may hold, valid or not: of what is not plainly
 * one of these, all up to the last `@` goes, even if that makes the remote poorer. Does not know a
 * secret that nothing marks as one, such as a token in a path.
 */
export function withoutCredentials(remote: string): string {
  const plain = remote.replace(invisible, '').trim();
  if (plain.length > remoteCharsMax) return '';
  const helper = /^(?:[a-z][a-z0-9+.-]{0,63}::)+/i.exec(plain)?.[0] ?? '';
  return runsCommand.test(helper) ? helper : helper + cleaned(plain.slice(helper.length));
}

/** No remote is so long; to cut it could cut a secret off its end. */
const remoteCharsMax = 4096;
/** Control characters, and those that only look like nothing. */
const invisible = /[\p{Cc}\p{Cf}]/gu;
/** What follows is a command line, with whatever stands in it. */
const runsCommand = /(^|:)(ext|fd)::/i;

function cleaned(text: string): string {
  const readable = decoded(text);
  if (!readable.includes('@')) return cleanedHost(text);
  return cleanedAddress(text) ?? (isPlainPlace(text, readable) ? text : afterLastAt(readable));
}

/**
 * `scheme://user:password@host:port/path?query`; `@` stands in the path only of an address that has
 * no user and no port. Null for anything else.
 */
function cleanedAddress(text: string): string | null {
  const [, scheme = '', user = '', host = '', port = '', path = '', query = ''] =
    /^([a-z][a-z0-9+.-]+:\/\/)(?:([^/\\?#@]*)@)?([a-z0-9._~-]+|\[[0-9a-f:.%]+\])(:\d{1,5})?(\/[^?#]*)?([?#].*)?$/is.exec(
      text,
    ) ?? [];
  const [way, asked] = [decoded(path), decoded(query)];
  const isOdd = way.includes(':')
    ? (way + asked).includes('@')
    : way.includes('@') && user + port !== '';
  if (scheme === '' || isOdd) return null;
  const name = decoded(user).split(':')[0] ?? '';
  return `${scheme}${/ssh/i.test(scheme) && isPlainName(name) ? `${name}@` : ''}${host}${port}${path}`;
}

/** `user@host:path`, or a path with an `@` in it and nothing that could be a password. */
function isPlainPlace(text: string, readable: string): boolean {
  if (/^\[?[a-z0-9_][a-z0-9._-]{0,63}@[^@:]+:[^@]*$/i.test(text))
    return readable.indexOf('@') === readable.lastIndexOf('@');
  return !readable.includes(':') && !/^[/\\]{2}/.test(readable);
}

/** What follows the last `@` is a host; what is in front of it tells only how it is reached. */
function afterLastAt(readable: string): string {
  const scheme = /^(\[|[a-z][a-z0-9+.-]+:[/\\]+|[/\\]{2})?/i.exec(readable)?.[0] ?? '';
  return cleanedHost(scheme + readable.slice(readable.lastIndexOf('@') + 1));
}

/**
 * Without a query, and without what stands where a port should and is none. Only after a scheme:
 * elsewhere a colon begins a path.
 */
function cleanedHost(text: string): string {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]+:[/\\]{2,})([^?#]*)/is.exec(text) ?? [];
  if (scheme === '' || rest.startsWith('[')) return scheme === '' ? text : scheme + rest;
  const end = /[/\\]/.exec(rest)?.index ?? rest.length;
  const [host = '', port = ''] = rest.slice(0, end).split(':');
  return `${scheme}${host}${/^\d{1,5}$/.test(port) ? `:${port}` : ''}${rest.slice(end)}`;
}

/** With `@`, `:` and slashes written out, however often they were encoded. */
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
