/**
 * The marks of the command line, the same as the page's: `≥` at least, `≤` at most, `~` estimated,
 * `n/a` not known, `–` none, `…` still counting. `>=`, `<=` and so on where a terminal knows no
 * UTF-8; what charts and bars are drawn of has one sign each, so that they keep their shape.
 */

export type Mark = '≥' | '≤' | '~' | 'n/a' | '–' | '…';

const ascii: Readonly<Record<string, string>> = {
  '≥': '>=',
  '≤': '<=',
  '–': '-',
  '…': '...',
  '·': '|',
  '×': 'x',
  '’': "'",
  '─': '-',
  '╌': '-',
  '│': '|',
  '┤': '+',
  '├': '|',
  '└': '`',
  '▲': '^',
  '△': '*',
  // Bars: three heights are enough to tell a slope.
  '▁': '.',
  '▂': '.',
  '▃': '.',
  '▄': ':',
  '▅': ':',
  '▆': '#',
  '▇': '#',
  '█': '#',
  // The patterns of a composition stay different from each other.
  '▓': '@',
  '▒': '%',
  '░': ':',
  '═': '=',
};
const marked = new RegExp(`[${Object.keys(ascii).join('')}]`, 'g');

/** Applying it twice gives the same text. */
export function toAscii(text: string): string {
  return text.replace(marked, (mark) => ascii[mark] ?? mark);
}

/** False if the locale names another encoding; without a locale, terminals of today have UTF-8. */
export function hasUtf8({ LC_ALL, LC_CTYPE, LANG }: Environment): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG || '';
  return locale === '' || /utf-?8/i.test(locale);
}

type Environment = Readonly<Record<string, string | undefined>>;
