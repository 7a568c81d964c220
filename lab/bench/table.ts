/** Rows as aligned lines of text. */
import { type Row, type Unit, verdictOf } from './benchmark.ts';

export const titles = ['', 'measured', 'budget', '', 'baseline', 'ratio', 'note'];
const isRightAligned = (column: number): boolean => column === 1 || column === 2 || column === 5;

export function renderTable(rows: readonly Row[]): string[] {
  if (rows.length === 0) return [];
  const cells = [titles, ...rows.map(cellsOf)];
  const widths = titles.map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  const aligned = (cell: string, column: number) => {
    const width = widths[column] ?? 0;
    return isRightAligned(column) ? cell.padStart(width) : cell.padEnd(width);
  };
  return cells.map((row) => row.map(aligned).join('  ').trimEnd());
}

/** Under `titles`. */
export function cellsOf(row: Row): string[] {
  const { what, measured, unit, budget, baseline, note } = row;
  return [
    what,
    measured === null ? 'not measured' : formatted(measured, unit),
    budget === undefined
      ? ''
      : 'max' in budget
        ? `<= ${amount(budget.max, unit)}`
        : `>= ${amount(budget.min, unit)}`,
    verdictOf(row) ?? '',
    baseline === undefined ? '' : `${formatted(baseline.measured, unit)} ${baseline.what}`,
    baseline === undefined || measured === null
      ? ''
      : `${(measured / baseline.measured).toFixed(2)}x`,
    note ?? '',
  ];
}

/** Small times get a decimal, and shares two. */
const digitsOf: Partial<Record<Unit, number>> = { us: 1, ms: 1, cores: 2, share: 2 };

function formatted(value: number, unit: Unit): string {
  return `${amount(value, unit)} ${unit}`;
}

function amount(value: number, unit: Unit): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: digitsOf[unit] ?? 0 });
}
