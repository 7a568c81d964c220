/** What must not leave the machine, taken out of what does. */

/**
 * A git remote without secrets: user and password go from `http(s)://`, the password alone from `ssh://` (its user says nothing), and queries
 * go everywhere. `git@host:path` and local paths stay as they are.
 */
export function withoutCredentials(remote: string): string {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)(.*)$/is.exec(remote) ?? [];
  if (scheme === '') return remote;
  const named = rest.replace(/[?#].*$/s, '');
  const at = named.lastIndexOf('@', endOfCredentials(named));
  if (at < 0) return scheme + named;
  const user = /ssh/i.test(scheme) ? (named.slice(0, at).split(':')[0] ?? '') : '';
  return scheme + (user === '' ? '' : `${user}@`) + named.slice(at + 1);
}

/**
 * Where the credentials must have ended: at the first slash. A password with a bare slash in it is no valid URL but is found in configs all the same:
 * what stands before the slash then looks like `user:password` and not like `host:port`, and the last `@` ends it.
 */
function endOfCredentials(rest: string): number {
  const slash = rest.indexOf('/');
  if (slash < 0) return rest.length;
  const authority = rest.slice(0, slash);
  return authority.includes('@') || !/:(?!\d*$)/.test(authority) ? slash : rest.length;
}
