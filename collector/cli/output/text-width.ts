import { createRequire } from 'node:module';

/**
 * The columns that a text takes on a terminal. Nearly all texts are ASCII and what our own tables
 * are drawn with, one column per character. The library for all others takes 60 ms to load, a third
 * of a report, so it is loaded only when it is needed.
 */
export function textWidth(text: string): number {
  return isPlain.test(text) ? text.length : libraryWidth(text);
}

/** Our own texts have these beside ASCII, each one column wide. */
export const drawn = '…–’·×≥≤△▲│├└┤─═╌█▇▆▅▄▃▂▁▓▒░';

const isPlain = new RegExp(`^[\\x20-\\x7e${drawn}]*$`);

function libraryWidth(text: string): number {
  const { default: stringWidth } = createRequire(import.meta.url)(
    'string-width',
  ) as typeof import('string-width');
  return stringWidth(text);
}
