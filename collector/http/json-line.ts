/**
 * JSON as one line for every reader: some end lines at U+0085, U+2028 and U+2029, too, which may
 * stand in JSON's texts. There they are written as escapes, with the same value. Pure.
 */
export function jsonLine(json: string): string {
  return json.replace(/[\r\n\u0085\u2028\u2029]/g, (character) => escapes[character] ?? ' ');
}

/** A line feed or a carriage return between tokens is only white space: texts have none. */
const escapes: Readonly<Record<string, string>> = {
  '\u0085': '\\u0085',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};
