/** Rows as aligned lines of text. */
import { type Row, type Unit, verdictOf } from './benchmark.ts';

const titles = ['', 'measured', 'budget', '', 'baseline', 'ratio', 'note'];
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

function cellsOf(row: Row): string[] {
  return [
    row.what,
    measuredText(row),
    budgetText(row),
    verdictOf(row) ?? '',
    baselineText(row),
    ratioText(row),
    row.note ?? '',
  ];
}

export function measuredText({ measured, unit }: Row): string {
  return measured === null ? 'not measured' : formatted(measured, unit);
}

/** Empty where there is none; so are the others. */
export function budgetText({ budget, unit }: Row): string {
  if (budget === undefined) return '';
  return 'max' in budget ? `<= ${amount(budget.max, unit)}` : `>= ${amount(budget.min, unit)}`;
}

export function baselineText({ baseline, unit }: Row): string {
  return baseline === undefined ? '' : `${formatted(baseline.measured, unit)} ${baseline.what}`;
}

export function ratioText({ baseline, measured }: Row): string {
  return baseline === undefined || measured === null
    ? ''
    : `${(measured / baseline.measured).toFixed(2)}x`;
}

/** Small times get a decimal, and shares two. */
const digitsOf: Partial<Record<Unit, number>> = { us: 1, ms: 1, cores: 2, share: 2 };

function formatted(value: number, unit: Unit): string {
  return `${amount(value, unit)} ${unit}`;
}

function amount(value: number, unit: Unit): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: digitsOf[unit] ?? 0 });
}
