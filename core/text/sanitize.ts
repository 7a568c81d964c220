/**
 * Makes untrusted text (names of projects, models, branches, tools and files, error messages) safe
 * to display.
 *
 * Guarantees: the result moves no cursor, changes neither colour nor clipboard, starts no line and
 * reverses no text direction. Each such character is written as a JSON escape (`\u001b`), so text
 * that was JSON still is, with the same value. Applying it twice gives the same result. Does not:
 * distinguish letters that look alike.
 */

/**
 * C0, DEL and C1; bidirectional controls; line separators; invisible characters, except the joiners
 * that scripts and emoji need.
 */
const harmful =
  /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\u200b\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]/gu;

/** One line. */
export function sanitizeLine(text: string): string {
  return text.replace(harmful, escaped);
}

/** Several lines: line endings (LF, CR LF) stay as they are. */
export function sanitizeText(text: string): string {
  return text
    .split(/(\r?\n)/)
    .map((part, index) => (index % 2 === 0 ? sanitizeLine(part) : part))
    .join('');
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
