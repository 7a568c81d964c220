/**
 * What follows a view in a path. Names are others' own, so any can stand there: a leading `~` says
 * that the name begins after it, which `.`, `..` and names with a `~` of their own need; `~` alone
 * is what has no name. After `~-` a name stands with `~2F` in place of `%2F`: Grafana decodes the
 * percent signs of its links before a browser sees them.
 */

/** The id of what is not known: the unknown project. No name is empty. */
export const unknownId = '';

export function pathOfId(id: string): string {
  const isPlain = id !== unknownId && id !== '.' && id !== '..' && !id.startsWith('~');
  return encodeURIComponent(isPlain ? id.toWellFormed() : `~${id.toWellFormed()}`);
}

/** Returns null when nothing follows the view, and undefined for what nobody could have written. */
export function idOfPath(path: string): string | null | undefined {
  if (path.startsWith('~-')) return decoded(path.slice(2).replaceAll('~', '%'));
  const text = decoded(path);
  if (text === '') return null;
  return text?.startsWith('~') === true ? text.slice(1) : text;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
