/**
 * A document as one HTML file: no script, no request to anywhere, styles and charts inside. Its
 * policy refuses everything else, should a name ever get out of its text.
 */
import { createHash } from 'node:crypto';
import type { Note } from '../output/answer-parts.ts';
import type { Cells, ColumnCells } from '../output/table.ts';
import { plotOf } from './chart.ts';
import type { Block, Document } from './document.ts';
import { styles } from './styles.ts';
import { svgOf } from './svg.ts';

/** Several documents stand below each other. */
export function htmlOf(documents: readonly Document[], made: string): string {
  const hash = createHash('sha256').update(styles).digest('base64');
  const own = `style-src 'sha256-${hash}'`;
  const policy = `default-src 'none'; ${own}; base-uri 'none'; form-action 'none'`;
  const title = documents[0]?.title ?? '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)} · pi-ledger</title>
<style>${styles}</style>
</head>
<body>
<main>
${documents.map(documentText).join('\n')}
</main>
<footer>pi-ledger · ${escaped(made)}</footer>
</body>
</html>
`;
}

function documentText({ title, blocks, notes }: Document, index: number): string {
  const level = index === 0 ? 'h1' : 'h2';
  const named = title === '' ? [] : [`<${level}>${bidi(title)}</${level}>`];
  const list = notes.length === 0 ? [] : [`<ul>\n${notes.map(noteText).join('\n')}\n</ul>`];
  return [...named, ...blocks.map(blockText), ...list].join('\n');
}

function blockText(block: Block): string {
  if (block.is === 'table') return tableText(block.cells);
  if (block.is === 'chart') return chartText(block);
  const tag = block.is === 'heading' ? 'h2' : 'p';
  return `<${tag}>${bidi(block.text)}</${tag}>`;
}

function noteText({ is, mark, text, next }: Note): string {
  const begin = is === 'warning' ? '<strong class="warn">warning:</strong>' : markText(mark ?? '');
  const command = next === undefined ? '' : `: <code>${escaped(next)}</code>`;
  return `<li>${begin} ${bidi(text)}${command}</li>`;
}

function chartText({ days, cells }: Extract<Block, { is: 'chart' }>): string {
  const hasBelow = days.some(({ subscriptionNanoUsd }) => subscriptionNanoUsd > 0n);
  return `<figure>
<figcaption>Spend per day</figcaption>
${svgOf(plotOf(days), { hasBelow })}
<details>
<summary>The numbers of the chart</summary>
${tableText(cells)}
</details>
</figure>`;
}

function tableText({ columns, totals }: Cells): string {
  const count = columns[0]?.cells.length ?? 0;
  const row = (index: number) =>
    `<tr>${columns.map((column, place) => cellText(column, index, place === 0)).join('')}</tr>`;
  const rows = Array.from({ length: count }, (_, index) => row(index));
  const heads = columns.map(
    (column) => `<th scope="col"${sideOf(column)}>${headText(column)}</th>`,
  );
  const foot = totals === 0 ? '' : `\n<tfoot>\n${rows.slice(count - totals).join('\n')}\n</tfoot>`;
  return `<div class="scroll" role="region" aria-label="Table" tabindex="0">
<table>
<thead><tr>${heads.join('')}</tr></thead>
<tbody>
${rows.slice(0, count - totals).join('\n')}
</tbody>${foot}
</table>
</div>`;
}

function headText({ title }: ColumnCells): string {
  return title === '' ? '<span class="said">more</span>' : bidi(title);
}

function cellText(column: ColumnCells, index: number, isFirst: boolean): string {
  const text = column.cells[index] ?? '';
  const shown = column.isCode ? `<code>${escaped(text)}</code>` : amountText(text);
  const [begin, end] = isFirst ? ['th scope="row"', 'th'] : ['td', 'td'];
  return `<${begin}${sideOf(column)}>${shown}</${end}>`;
}

function sideOf({ align }: ColumnCells): string {
  return align === 'right' ? ' class="right"' : '';
}

/** A mark at the start is said by those who hear the page. */
function amountText(text: string): string {
  const [, mark = '', rest = ''] = /^([≥≤~]?)(.*)$/su.exec(text) ?? [];
  return markText(mark) + bidi(mark === '' ? rest : rest.trimStart());
}

const words: Readonly<Record<string, string>> = {
  '≥': 'at least',
  '≤': 'at most',
  '~': 'estimated',
};

function markText(mark: string): string {
  if (mark === '') return '';
  const word = words[mark];
  if (word === undefined) return `<span class="mark">${escaped(mark)}</span>`;
  return `<span class="mark" aria-hidden="true">${mark}</span><span class="said">${word} </span>`;
}

/** Names of either direction stay in their place. */
function bidi(text: string): string {
  return `<bdi>${escaped(text)}</bdi>`;
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
