import { sanitizeLine } from '../../../extension/sanitize.ts';
import type { Line, Terminal } from '../command.ts';
import { textWidth } from './text-width.ts';

export interface Column<Row> {
  readonly title: string;
  readonly align: 'left' | 'right';
  /** 0 always stays; of the others the highest goes first if the terminal is too narrow. */
  readonly dropOrder: number;
  /** On a terminal, texts are cut to this width. */
  readonly widthMax?: number;
  cell(row: Row): string;
}

export interface TableStyle {
  /** In columns; null: no limit. */
  readonly width: number | null;
  /** A dim head and bold totals. */
  readonly colour: boolean;
}

const gap = '  ';
const labelWidthMin = 12;

/** Prints a table as wide and as colourful as the terminal allows. */
export function printTable<Row>(
  terminal: Terminal,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  totals: readonly Row[] = [],
): void {
  const style = { width: terminal.columns, colour: terminal.colour };
  for (const line of renderTable(columns, rows, totals, style)) terminal.print(line);
}

/**
 * Lines of an aligned table with a head and, at the end, a rule and the totals. Columns that do not
 * fit are left out, least important first; if the first column is still too wide, its text is cut
 * in the middle with an ellipsis. Without a width nothing is cut.
 */
export function renderTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  totals: readonly Row[],
  style: TableStyle,
): Line[] {
  const all = [...rows, ...totals];
  const shown = columnsThatFit(columns.map(sanitized), all, style.width);
  const widths = shown.map((column) => widthOf(column, all, style.width));
  const spare = style.width === null ? 0 : style.width - lineWidth(widths);
  if (spare < 0 && widths[0] !== undefined) {
    widths[0] = Math.max(labelWidthMin, widths[0] + spare);
  }
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => fit(cell, widths[index] ?? 0, shown[index]?.align ?? 'left'))
      .join(gap)
      .trimEnd();
  const lines = [
    dim(line(shown.map((column) => column.title)), style),
    ...rows.map((row) => line(shown.map((column) => column.cell(row)))),
  ];
  if (totals.length > 0) lines.push(dim('─'.repeat(lineWidth(widths)), style));
  return [
    ...lines,
    ...totals.map((total) => bold(line(shown.map((column) => column.cell(total))), style)),
  ];
}

/** Before widths are measured: they are those of what is shown. */
function sanitized<Row>(column: Column<Row>): Column<Row> {
  return { ...column, cell: (row) => sanitizeLine(column.cell(row)) };
}

function columnsThatFit<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number | null,
): readonly Column<Row>[] {
  let shown = columns;
  while (width !== null && lineWidth(shown.map((column) => widthOf(column, rows, width))) > width) {
    const last = shown.reduce((worst, column) =>
      column.dropOrder > worst.dropOrder ? column : worst,
    );
    if (last.dropOrder === 0) {
      break;
    }
    shown = shown.filter((column) => column !== last);
  }
  return shown;
}

function widthOf<Row>(column: Column<Row>, rows: readonly Row[], width: number | null): number {
  const widest = rows.reduce(
    (most, row) => Math.max(most, textWidth(column.cell(row))),
    textWidth(column.title),
  );
  return width === null || column.widthMax === undefined
    ? widest
    : Math.min(widest, column.widthMax);
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

function dim(text: string, style: TableStyle): Line {
  return style.colour ? { text, style: 'dim' } : text;
}

function bold(text: string, style: TableStyle): Line {
  return style.colour ? { text, style: 'bold' } : text;
}
