/**
 * Text of strangers (names of projects, models, branches, tools and files, messages of errors) made
 * harmless for whatever shows it.
 *
 * Guarantees: what comes out moves no cursor, changes neither colour nor clipboard, begins no line
 * and turns no direction of writing. Each such character is written as JSON writes it (`\u001b`),
 * so a text that was JSON still is, with the same value. Done twice it is the same as once. Does
 * not: tell letters apart that look alike.
 */

/**
 * C0, DEL and C1; marks that turn the direction; separators of lines; what is invisible, but for
 * the joiners that scripts and emoji need.
 */
const harmful =
  /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\u200b\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]/gu;

/** One line. */
export function disarm(text: string): string {
  return text.replace(harmful, escaped);
}

/** Several lines: their ends (LF, CR LF) stay as they are. */
export function disarmLines(text: string): string {
  return text
    .split(/(\r?\n)/)
    .map((part, index) => (index % 2 === 0 ? disarm(part) : part))
    .join('');
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
