/**
 * Moves a session's spending between rollup rows, after its timeline changes or its cells are
 * merged. The sums stay the same.
 */
import { type Amount, addAmounts, negated } from '../amount.ts';
import type { Emit } from '../projection.ts';
import { usage } from '../usage.ts';
import {
  allLines,
  type CellMinutes,
  type CellRows,
  cellOf,
  type Family,
  lineOf,
  type SpendCell,
  type Spending,
  type SpendLine,
} from './cells.ts';
import { sameLabels } from './labels.ts';
import {
  type FamilyName,
  familyKey,
  type LineName,
  type Variant,
  variantKey,
} from './line-name.ts';
import { labelsOfCell } from './notes/cell-labels.ts';
import type { Concerned } from './notes/concerned.ts';
import { toRows } from './rows.ts';
import type { Timeline } from './timeline.ts';
import { labelsAt } from './timeline-labels.ts';

/** What is counted, under which timeline, and where it is emitted. */
export interface Counting {
  readonly spending: Spending;
  readonly timeline: Timeline;
  readonly emit: Emit;
}

/** Moves what the changed timeline counts elsewhere. Notes that changed concern a part of it. */
export function moveSpend(
  { spending, timeline: after, emit }: Counting,
  before: Timeline,
  isConcerned: Concerned | null = null,
): void {
  for (const line of allLines(spending)) {
    for (const cell of line.cells.values()) {
      if (isConcerned !== null && !isConcerned(...rowPlace(after, spending, line, cell))) continue;
      const at = (timeline: Timeline) =>
        labelsOfCell(timeline, line, cell.minute, spending.cellMinutes);
      if (sameLabels(cell.rows?.labels ?? at(before), at(after))) continue;
      const from = cell.rows ?? toRows(spending, line, cell.minute, before);
      cell.rows = toRows(spending, line, cell.minute, after);
      moveAmounts(cell.amounts, from, cell.rows, emit);
    }
  }
}

function rowPlace(
  timeline: Timeline,
  { cellMinutes }: Spending,
  { provider, model }: SpendLine,
  { minute }: SpendCell,
): Parameters<Concerned> {
  const lastMinute = minute + cellMinutes - 1;
  return [labelsAt(timeline, lastMinute, provider), { provider, model, minute, lastMinute }];
}

/** Emits all spending, as if it came at once. */
export function emitAll({ spending, timeline, emit }: Counting): void {
  for (const line of allLines(spending)) {
    for (const cell of line.cells.values()) {
      cell.rows ??= toRows(spending, line, cell.minute, timeline);
      if (!cell.rows.labels.isIgnored) emit(usage, cell.rows.usage, cell.amounts);
    }
  }
}

/** Merges cells into longer ones. */
export function mergeCells(counting: Counting, cellMinutes: CellMinutes): void {
  const { spending, timeline } = counting;
  const shorter = { ...spending };
  spending.cellMinutes = cellMinutes;
  spending.cells = 0;
  for (const line of allLines(spending)) {
    const { cells } = line;
    line.cells = new Map();
    for (const cell of cells.values())
      mergeCell(counting, cell, cell.rows ?? toRows(shorter, line, cell.minute, timeline), line);
  }
}

/** Merges a line into another one of its family. Does nothing if it was merged before. */
export function mergeLine(counting: Counting, line: SpendLine, into: Variant): void {
  if (line.family.lines.delete(variantKey(line))) mergeInto(counting, line, { ...line, ...into });
}

/** Merges a family into another, line by line. Does nothing if it was merged before. */
export function mergeFamily(counting: Counting, family: Family, into: FamilyName): void {
  if (!counting.spending.families.delete(familyKey(family))) return;
  for (const line of family.lines.values()) mergeInto(counting, line, { ...line, ...into });
}

function mergeInto(counting: Counting, line: SpendLine, name: LineName): void {
  const { spending, timeline } = counting;
  const into = lineOf(spending, name);
  spending.cells -= line.cells.size;
  for (const cell of line.cells.values())
    mergeCell(counting, cell, cell.rows ?? toRows(spending, line, cell.minute, timeline), into);
}

function mergeCell(
  { spending, timeline, emit }: Counting,
  { minute, amounts }: SpendCell,
  from: CellRows,
  into: SpendLine,
): void {
  const cell = cellOf(spending, into, minute);
  addAmounts(cell.amounts, amounts);
  cell.rows ??= toRows(spending, into, cell.minute, timeline);
  moveAmounts(amounts, from, cell.rows, emit);
}

function moveAmounts(amounts: readonly Amount[], from: CellRows, to: CellRows, emit: Emit): void {
  if (from.usage === to.usage) return;
  if (!from.labels.isIgnored) emit(usage, from.usage, negated(amounts));
  if (!to.labels.isIgnored) emit(usage, to.usage, amounts);
}
