import { createRequire } from 'node:module';

/**
 * Columns of a terminal that a text takes. Nearly all texts are ASCII, with an ellipsis, a dash or
 * a tree's branches: one column each character. The library for the others takes 60 ms to load, a
 * third of a report, so it is loaded for the first of them.
 */
export function textWidth(text: string): number {
  return isPlain.test(text) ? text.length : libraryWidth(text);
}

const isPlain = /^[\x20-\x7e…–│├└─]*$/;

function libraryWidth(text: string): number {
  const { default: stringWidth } = createRequire(import.meta.url)(
    'string-width',
  ) as typeof import('string-width');
  return stringWidth(text);
}
