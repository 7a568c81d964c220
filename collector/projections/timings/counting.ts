/**
 * Adds to a session's cells, and keeps the rollups the sums of what is in them: when the timeline
 * changes, when cells are merged into longer ones, and when a table begins or ceases to count.
 *
 * Beyond `linesMax` lines of a table, the alphabetically last are merged into one, `(other)`. Which
 * ones depends on the set of lines, not on their order.
 */
import { type Amount, addAmounts, negated } from '../amount.ts';
import { type Emit, rowKey } from '../projection.ts';
import { localDayText, minutesPerDay } from '../session/calendar.ts';
import { compareText } from '../session/compare-text.ts';
import { type Labels, sameLabels } from '../session/labels.ts';
import type { Timeline } from '../session/timeline.ts';
import { labelsAt } from '../session/timeline-labels.ts';
import {
  cellOf,
  keyOf,
  lineOf,
  mergeInto,
  type Row,
  type TimingCell,
  type TimingCellMinutes,
  type TimingCells,
  type TimingLine,
  type TimingLineName,
  type TimingTable,
  tableNames,
} from './cells.ts';
import { isBilled } from './rollups.ts';
import { timedBy, totalsKey } from './totals.ts';

export interface TimingCounting {
  readonly cells: TimingCells;
  readonly timeline: Timeline;
  readonly linesMax: number;
  readonly emit: Emit;
}

interface Measured {
  readonly name: TimingLineName;
  readonly minute: number;
  readonly amounts: readonly Amount[];
}

/** Where it counts now. */
interface Place {
  readonly line: TimingLine;
  readonly row: Row;
}

export function add(
  counting: TimingCounting,
  table: TimingTable,
  { name, minute, amounts }: Measured,
): Place {
  const line = openKeptLine(counting, table, name);
  const cell = cellOf(counting.cells, table, line, minute);
  addAmounts(cell.amounts, amounts);
  if (line.timed !== null) line.timed += timedBy(amounts);
  const row = rowIn(counting, table, line, cell);
  emitAmounts(counting, table, row, amounts);
  return { line, row };
}

/** Moves what the changed timeline counts elsewhere. */
export function moveCells(counting: TimingCounting, before: Timeline): void {
  const { cells, timeline: after } = counting;
  const { cellMinutes } = cells;
  forEachCell(cells, (table, line, cell) => {
    const end = cell.minute + cellMinutes - 1;
    if (sameLabels(labelsOf(before, table, line, end), labelsOf(after, table, line, end))) return;
    const from = cell.row ?? toRow(table, line, cell.minute, { timeline: before, cellMinutes });
    cell.row = toRow(table, line, cell.minute, { timeline: after, cellMinutes });
    moveAmounts(counting, table, cell.amounts, from, cell.row);
  });
}

/** Emits everything, as if it came at once. */
export function emitAll(counting: TimingCounting): void {
  forEachCell(counting.cells, (table, line, cell) =>
    emitAmounts(counting, table, rowIn(counting, table, line, cell), cell.amounts),
  );
}

/** From here on the table's cells are in the rollup, or are not. */
export function setCounted(counting: TimingCounting, table: TimingTable, isCounted: boolean): void {
  if (table.isCounted === isCounted) return;
  table.isCounted = true;
  for (const line of table.lines.values())
    for (const cell of line.cells.values()) {
      const amounts = isCounted ? cell.amounts : negated(cell.amounts);
      emitAmounts(counting, table, rowIn(counting, table, line, cell), amounts);
    }
  table.isCounted = isCounted;
}

/** Merges the cells into longer ones. */
export function coarsen(counting: TimingCounting, cellMinutes: TimingCellMinutes): void {
  const { cells, timeline } = counting;
  const shorter = cells.cellMinutes;
  cells.cellMinutes = cellMinutes;
  cells.count = 0;
  for (const name of tableNames) {
    const table = cells.tables[name];
    for (const line of table.lines.values()) {
      const before = line.cells;
      line.cells = new Map();
      for (const cell of before.values()) {
        const from =
          cell.row ?? toRow(table, line, cell.minute, { timeline, cellMinutes: shorter });
        mergeCell(counting, table, line, cell, from);
      }
    }
  }
}

const other = '(other)';

function openKeptLine(
  counting: TimingCounting,
  table: TimingTable,
  name: TimingLineName,
): TimingLine {
  const { linesMax, cells } = counting;
  const { lines } = table;
  const line = lineOf(table, name);
  if (lines.size <= linesMax) return line;
  const others = name.map(() => other);
  if (lines.size === linesMax + 1 && lines.has(keyOf(others))) return line;
  const names = [...lines.keys()].filter((key) => key !== keyOf(others));
  const last = lines.get(names.toSorted(compareText).at(-1) ?? '') ?? line;
  lines.delete(keyOf(last.name));
  cells.count -= last.cells.size;
  const into = lineOf(table, others);
  for (const cell of last.cells.values())
    mergeCell(counting, table, into, cell, rowIn(counting, table, last, cell));
  return last === line ? into : line;
}

function mergeCell(
  counting: TimingCounting,
  table: TimingTable,
  into: TimingLine,
  cell: TimingCell,
  from: Row,
): void {
  const merged = mergeInto(counting.cells, table, into, cell);
  moveAmounts(counting, table, cell.amounts, from, rowIn(counting, table, into, merged));
}

function rowIn(
  { cells, timeline }: TimingCounting,
  table: TimingTable,
  line: TimingLine,
  cell: TimingCell,
): Row {
  const { cellMinutes } = cells;
  cell.row ??= toRow(table, line, cell.minute, { timeline, cellMinutes });
  return cell.row;
}

function moveAmounts(
  counting: TimingCounting,
  table: TimingTable,
  amounts: readonly Amount[],
  from: Row,
  to: Row,
): void {
  if (areSameRows(from, to)) return;
  emitAmounts(counting, table, from, negated(amounts));
  emitAmounts(counting, table, to, amounts);
}

function emitAmounts(
  { emit }: TimingCounting,
  { rollup, isCounted }: TimingTable,
  { labels, key }: Row,
  amounts: readonly Amount[],
): void {
  if (isCounted && !labels.isIgnored) emit(rollup, key, amounts);
}

function forEachCell(
  { tables }: TimingCells,
  visit: (table: TimingTable, line: TimingLine, cell: TimingCell) => void,
): void {
  for (const name of tableNames)
    for (const line of tables[name].lines.values())
      for (const cell of line.cells.values()) visit(tables[name], line, cell);
}

// The rollup row that a cell is counted under: its day and labels, and the line's own name.

/** A cell counts under the attribution at its end. */
function toRow(
  table: TimingTable,
  line: TimingLine,
  minute: number,
  {
    timeline,
    cellMinutes,
  }: { readonly timeline: Timeline; readonly cellMinutes: TimingCellMinutes },
): Row {
  const labels = labelsOf(timeline, table, line, minute + cellMinutes - 1);
  const day = Math.floor((minute + labels.utcOffsetMinutes) / minutesPerDay);
  const { row } = line;
  if (row !== null && row.labels === labels && row.day === day) return row;
  const dayText = localDayText(minute, labels.utcOffsetMinutes);
  const { project, user, host, agent, billing } = labels;
  const named = {
    ...line.named,
    ...{ day: dayText, project, user, host, agent, billing },
  };
  const key = rowKey(table.rollup, named);
  line.row = { labels, day, key, totals: totalsKey(table.rollup, named) };
  return line.row;
}

function labelsOf(
  timeline: Timeline,
  { rollup }: TimingTable,
  line: TimingLine,
  end: number,
): Labels {
  return labelsAt(timeline, end, isBilled(rollup) ? (line.named.provider ?? '') : '');
}

function areSameRows(left: Row, right: Row): boolean {
  return (
    left.key === right.key ||
    (left.labels.isIgnored === right.labels.isIgnored &&
      left.key.every((value, index) => value === right.key[index]))
  );
}
