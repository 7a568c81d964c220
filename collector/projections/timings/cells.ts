/**
 * What one session measured, in cells of a quarter of an hour: for each table, by line (a model, a
 * tool, an outcome). counting.ts decides which rollup rows they are counted under.
 */
import { type Amount, addAmounts } from '../amount.ts';
import type { Rollup, RowKey } from '../projection.ts';
import type { Labels } from '../session/labels.ts';
import { answers, asked, namesIn, runs, statuses, tools } from './rollups.ts';

export type TimingCellMinutes = 15 | 60;

/** A line's own dimensions, in the order of the rollup (`namesIn`). */
export type TimingLineName = readonly string[];

export interface Row {
  readonly labels: Labels;
  readonly day: number;
  readonly key: RowKey;
  /** Its row in the cumulative sibling (totals.ts); null: there is none. */
  readonly totals: RowKey | null;
}

export interface TimingCell {
  readonly minute: number;
  readonly amounts: Amount[];
  /** The row it is counted under; null until needed. */
  row: Row | null;
}

export interface TimingLine {
  readonly name: TimingLineName;
  /** The same texts, by dimension: asked for with each event. */
  readonly named: Readonly<Record<string, string>>;
  /** By the minute they start in. */
  cells: Map<number, TimingCell>;
  /** The row of the newest cell, usually shared by the next one. */
  row: Row | null;
  /** It counts the durations in the cells of a tool; null until needed. */
  timed: number | null;
}

export interface TimingTable {
  readonly rollup: Rollup;
  readonly lines: Map<string, TimingLine>;
  /** Whether its cells are in the rollup. */
  isCounted: boolean;
}

export interface TimingCells {
  cellMinutes: TimingCellMinutes;
  count: number;
  readonly tables: Readonly<Record<TableName, TimingTable>>;
}

/** `liveTools`: durations that only the running host saw, kept apart from those in entries. */
export const tableNames = ['answers', 'statuses', 'tools', 'liveTools', 'asked', 'runs'] as const;
export type TableName = (typeof tableNames)[number];

export function createCells(cellMinutes: TimingCellMinutes): TimingCells {
  const table = (rollup: Rollup): TimingTable => ({ rollup, lines: new Map(), isCounted: true });
  return {
    cellMinutes,
    count: 0,
    tables: {
      answers: table(answers),
      statuses: table(statuses),
      tools: table(tools),
      liveTools: table(tools),
      asked: table(asked),
      runs: table(runs),
    },
  };
}

export function lineOf({ rollup, lines }: TimingTable, name: TimingLineName): TimingLine {
  const key = keyOf(name);
  const known = lines.get(key);
  if (known !== undefined) return known;
  const named = namesIn(rollup, name);
  const line: TimingLine = { name, named, cells: new Map(), row: null, timed: null };
  lines.set(key, line);
  return line;
}

export function keyOf(name: TimingLineName): string {
  return name.length === 1 ? (name[0] ?? '') : JSON.stringify(name);
}

export function cellOf(
  cells: TimingCells,
  table: TimingTable,
  line: TimingLine,
  minute: number,
): TimingCell {
  const start = Math.floor(minute / cells.cellMinutes) * cells.cellMinutes;
  const known = line.cells.get(start);
  if (known !== undefined) return known;
  const cell: TimingCell = {
    minute: start,
    amounts: table.rollup.measures.map(() => 0),
    row: null,
  };
  line.cells.set(start, cell);
  cells.count += 1;
  return cell;
}

/** Adds a cell's amounts to the cell of a line that it belongs to. */
export function mergeInto(
  cells: TimingCells,
  table: TimingTable,
  line: TimingLine,
  { minute, amounts }: TimingCell,
): TimingCell {
  const into = cellOf(cells, table, line, minute);
  addAmounts(into.amounts, amounts);
  line.timed = null;
  return into;
}
