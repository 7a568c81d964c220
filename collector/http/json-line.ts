/**
 * Writes JSON as one line for every reader. Some end lines at U+0085, U+2028 and U+2029, too, which
 * may stand in JSON's texts: they become escapes, with the same value. A line feed or a carriage
 * return is only white space between tokens, and becomes a blank. Pure.
 */
export function jsonLine(json: string): string {
  return json.replace(/[\r\n\u0085\u2028\u2029]/g, (character) => escapes[character] ?? ' ');
}

const escapes: Readonly<Record<string, string>> = {
  '\u0085': '\\u0085',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};
