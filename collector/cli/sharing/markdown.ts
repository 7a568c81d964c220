/**
 * A document as GitHub-flavoured Markdown, aligned so that it reads as text, too.
 *
 * Guarantees: no name becomes a link, an image, HTML, emphasis or a mention, and none ends its cell
 * or its line.
 */
import type { Note } from '../output/answer-parts.ts';
import type { Cells, ColumnCells } from '../output/table.ts';
import { textWidth } from '../output/text-width.ts';
import type { Block, Document } from './document.ts';

/** Ends with a line end. Charts are left out. */
export function markdownOf({ title, blocks, notes }: Document): string {
  const parts = [
    ...(title === '' ? [] : [inline(title)]),
    ...blocks.flatMap(blockText),
    ...(notes.length === 0 ? [] : [notes.map(noteText).join('\n')]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function blockText(block: Block): readonly string[] {
  if (block.is === 'heading') return [`### ${inline(block.text)}`];
  if (block.is === 'line') return [inline(block.text)];
  return block.is === 'table' ? [tableText(block.cells)] : [];
}

function noteText({ is, mark, text, next }: Note): string {
  const begin = is === 'warning' ? '**warning:** ' : mark === undefined ? '' : `${inline(mark)} `;
  return `- ${begin}${inline(text)}${next === undefined ? '' : `: ${code(next)}`}`;
}

function tableText({ columns, totals }: Cells): string {
  const texts = columns.map((column) => columnTexts(column, totals));
  const [head = '', ...rows] = Array.from({ length: texts[0]?.length ?? 0 }, (_, row) =>
    rowText(texts.map((column) => column[row] ?? '')),
  );
  const rule = columns.map(({ align }, index) => {
    const dashes = '-'.repeat(textWidth(texts[index]?.[0] ?? '') - 1);
    return align === 'left' ? `:${dashes}` : `${dashes}:`;
  });
  return [head, rowText(rule), ...rows].join('\n');
}

/** The title and the cells, as wide as the widest. Totals are bold. */
function columnTexts(column: ColumnCells, totals: number): readonly string[] {
  const { title, align, cells, isCode } = column;
  const write = (text: string) => cellText(text, isCode === true && text !== '');
  const texts = [cellText(title), ...cells.map(write)].map((text, index) => {
    const isTotal = index > cells.length - totals;
    return isTotal && text !== '' ? `**${text}**` : text;
  });
  const width = Math.max(columnWidthMin, ...texts.map(textWidth));
  return texts.map((text) => {
    const padding = ' '.repeat(width - textWidth(text));
    return align === 'left' ? text + padding : padding + text;
  });
}

/** A rule has three dashes at least. */
const columnWidthMin = 4;

function rowText(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** What readers of Markdown make links of by themselves: addresses, people, issues, emoji. */
const linked = /@|:\/\/|www\.|#\d|\bGH-\d|\bmailto:|\bxmpp:|:[\w+-]+:/i;
/** GitHub makes a link of a commit's hash. */
const commit = /(?<![\da-z])[\da-f]{7,40}(?![\da-z])/i;

/** Words that would become links stand as code. */
function inline(text: string, write = code): string {
  const pairs = ['~', '$'].filter((sign) => text.split(sign).length > 2);
  return text
    .split(/(\s+)/)
    .map((word) => (linked.test(word) || commit.test(word) ? write(word) : escaped(word, pairs)))
    .join('')
    .replace(/^(\d+)([.)])(?=\s|$)/, String.raw`$1\$2`)
    .replace(/^[-+#=](?=[-+#=\s]|$)/, String.raw`\$&`);
}

function cellText(text: string, isCode = false): string {
  return isCode ? cellCode(text) : inline(text, cellCode);
}

/**
 * In a table, a bar ends the cell even within code, unless exactly one backslash stands before it:
 * those of the text itself are left out there.
 */
function cellCode(text: string): string {
  return code(text).replaceAll(/\\*\|/g, String.raw`\|`);
}

/** A fence that the text does not hold. */
function code(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const space = /^`|`$/.test(text) ? ' ' : '';
  return `${fence}${space}${text}${space}${fence}`;
}

/** `pairs`: signs that mean something in pairs only; `~9.1 s` and `$4.20` stay as they are. */
function escaped(text: string, pairs: readonly string[]): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[\\`*_[\]|]/g, String.raw`\$&`)
    .replaceAll(/[~$]/g, (sign) => (pairs.includes(sign) ? `\\${sign}` : sign));
}
