import { sanitizeLine } from '@pi-ledger/core/text/sanitize';
import type { Line } from '../line.ts';
import { toAscii } from './marks.ts';
import { textWidth } from './text-width.ts';
import { inFull, type Writing } from './writing.ts';

export interface Column<Row> {
  readonly title: string;
  readonly align: 'left' | 'right';
  /** 0 always stays; of the others the highest goes first if the terminal is too narrow. */
  readonly dropOrder: number;
  /** On a terminal, texts are cut to this width. */
  readonly widthMax?: number;
  /** Down to this width, texts are cut before other columns go. The first column has it anyway. */
  readonly widthKept?: number;
  /** Something to type. */
  readonly isCode?: true;
  /** On a terminal they are as short as tells them apart. */
  readonly areIds?: true;
  cell(row: Row, writing: Writing): string;
}

export interface TableStyle {
  /** In columns; null: no limit. */
  readonly width: number | null;
  /** A dim head and bold totals. */
  readonly colour: boolean;
  /** False: marks are written in ASCII. */
  readonly utf8?: boolean;
}

/** A table as text, not yet aligned, cut or escaped: what every format begins with. */
export interface Cells {
  readonly columns: readonly ColumnCells[];
  /** So many of the last cells of each column are totals. */
  readonly totals: number;
}

export interface ColumnCells extends Omit<Column<never>, 'cell'> {
  readonly cells: readonly string[];
}

export function cellsOf<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  totals: readonly Row[],
  writing: Writing = inFull,
): Cells {
  const lines = [...rows, ...totals];
  return {
    columns: columns.map(({ cell, ...column }) => {
      const cells = lines.map((row) => cell(row, writing));
      return { ...column, cells: column.areIds ? cells.map(writing.idsOf(cells)) : cells };
    }),
    totals: totals.length,
  };
}

export interface RenderedTable {
  readonly lines: readonly Line[];
  /** How many columns did not fit. */
  readonly hidden: number;
}

const gap = '  ';
/** What a name in the first column keeps when columns compete for room. */
const labelWidthKept = 24;
const labelWidthMin = 12;

/**
 * Lines of an aligned table with a head and, at the end, a rule and the totals. Columns that do not
 * fit are left out, least important first; names in the first column are cut in the middle to make
 * room. Without a width nothing is cut.
 */
export function drawTable({ columns, totals }: Cells, style: TableStyle): RenderedTable {
  const texts = textsOf(columns, style);
  const lineCount = texts[0]?.cells.length ?? 0;
  const rows = lineCount - totals;
  const shown = columnsThatFit(texts, style.width);
  const widths = widthsFor(shown, style.width);
  const line = (textOf: (column: Texts) => string) =>
    shown
      .map((column, index) => fit(textOf(column), widths[index] ?? 0, column.align))
      .join(gap)
      .trimEnd();
  const cells = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) =>
      line((column) => column.cells[from + index] ?? ''),
    );
  const bodyLines = cells(0, rows);
  const totalLines = cells(rows, lineCount);
  const rule = style.utf8 === false ? '-' : '─';
  return {
    lines: [
      styled(
        line(({ title }) => title),
        'dim',
        style,
      ),
      ...bodyLines,
      ...(totals > 0 ? [styled(rule.repeat(lineWidth(widths)), 'dim', style)] : []),
      ...totalLines.map((text) => styled(text, 'bold', style)),
    ],
    hidden: columns.length - shown.length,
  };
}

/** A column as text. Widths are those of what is shown. */
interface Texts {
  readonly title: string;
  readonly align: 'left' | 'right';
  readonly dropOrder: number;
  readonly cells: readonly string[];
  readonly width: number;
  /** What it needs of its width. */
  readonly widthKept: number;
}

function textsOf(columns: readonly ColumnCells[], { width, utf8 }: TableStyle): readonly Texts[] {
  const safe = (text: string) =>
    utf8 === false ? toAscii(sanitizeLine(text)) : sanitizeLine(text);
  return columns.map(({ title, align, dropOrder, widthMax, widthKept, cells: given }, index) => {
    const cells = given.map(safe);
    const titleWidth = textWidth(title);
    const widest = cells.reduce((most, text) => Math.max(most, textWidth(text)), titleWidth);
    const bounded = (bound: number | undefined) =>
      width === null || bound === undefined
        ? widest
        : Math.min(widest, Math.max(bound, titleWidth));
    return {
      title,
      align,
      dropOrder,
      cells,
      width: bounded(widthMax),
      widthKept: Math.min(
        bounded(widthMax),
        bounded(widthKept ?? (index === 0 ? labelWidthKept : undefined)),
      ),
    };
  });
}

function columnsThatFit(columns: readonly Texts[], width: number | null): readonly Texts[] {
  let shown = columns;
  while (width !== null && lineWidth(shown.map(({ widthKept }) => widthKept)) > width) {
    const last = shown.reduce((worst, column) =>
      column.dropOrder > worst.dropOrder ? column : worst,
    );
    if (last.dropOrder === 0) break;
    shown = shown.filter((column) => column !== last);
  }
  return shown;
}

/** What they need; then as much of what they want as there is room, the first column first. */
function widthsFor(columns: readonly Texts[], width: number | null): readonly number[] {
  if (width === null) return columns.map((column) => column.width);
  const widths = columns.map(({ widthKept }) => widthKept);
  let spare = width - lineWidth(widths);
  if (spare < 0 && widths[0] !== undefined) widths[0] = Math.max(labelWidthMin, widths[0] + spare);
  return widths.map((kept, index) => {
    const more = Math.max(0, Math.min(spare, (columns[index]?.width ?? kept) - kept));
    spare -= more;
    return kept + more;
  });
}

function lineWidth(widths: readonly number[]): number {
  return (
    widths.reduce((sum, width) => sum + width, 0) + gap.length * Math.max(0, widths.length - 1)
  );
}

function fit(text: string, width: number, align: 'left' | 'right'): string {
  const shown = textWidth(text) > width ? cut(text, width) : text;
  const padding = ' '.repeat(Math.max(0, width - textWidth(shown)));
  return align === 'left' ? shown + padding : padding + shown;
}

/** Both ends of a name say more than its middle. */
function cut(text: string, width: number): string {
  const characters = [...text];
  const head = beginning(characters, Math.ceil((width - 1) / 2));
  const tail = beginning(characters.toReversed(), Math.floor((width - 1) / 2)).toReversed();
  return `${head.join('')}…${tail.join('')}`;
}

/** As many of them as fit into the width. */
function beginning(characters: readonly string[], width: number): readonly string[] {
  let left = width;
  const end = characters.findIndex((character) => {
    left -= textWidth(character);
    return left < 0;
  });
  return end < 0 ? characters : characters.slice(0, end);
}

function styled(text: string, style: 'dim' | 'bold', { colour }: TableStyle): Line {
  return colour ? { text, style } : text;
}
