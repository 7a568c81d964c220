/**
 * What one session spent, in cells of a UTC minute, provider, model and kind, and the rollup rows that the cells are counted under. Of a
 * project that is ignored there are cells, and no rows.
 *
 * - A cell counts under the attribution in force at its end; when the timeline changes, only the cells whose labels change are moved.
 * - A session with more than `cellsMax` cells goes over to quarters of an hour for good: every UTC offset in use is a multiple of it, so
 *   hours and days stay right, and the document stays small. Whether it does depends on the set of events, not on their order.
 */
import type { Spend } from '@pi-ledger/contract';
import { type Amount, addAmounts, beyond, difference, negated } from '../amount.ts';
import type { Emit } from '../projection.ts';
import { totals } from '../totals.ts';
import { measuresOf, usage } from '../usage.ts';
import { hourText, localDayText, minutesPerDay, minutesPerHour } from './calendar.ts';
import { type Labels, labelsAt, sameLabels, type Timeline } from './timeline.ts';

export interface Spending {
  readonly sessionId: string;
  cellMinutes: 1 | 15;
  cells: number;
  readonly lines: Map<string, Line>;
  /** The next record is mostly of the same one. */
  lastLine: Line | null;
}

/** All spend of one provider, model and kind. */
export interface Line {
  readonly provider: string;
  readonly model: string;
  readonly kind: string;
  /** By the minute in which they begin. */
  cells: Map<number, Cell>;
  /** Those of the newest cell; the next cell mostly shares them. */
  rows: Rows | null;
}

export interface Cell {
  readonly minute: number;
  readonly amounts: Amount[];
  /** Where it is counted; null until asked for. */
  rows: Rows | null;
}

interface Rows {
  readonly hour: number;
  readonly day: number;
  readonly labels: Labels;
  readonly usage: readonly string[];
  readonly totals: readonly string[];
}

export function createSpending(sessionId: string, cellMinutes: 1 | 15): Spending {
  return { sessionId, cellMinutes, cells: 0, lines: new Map(), lastLine: null };
}

export interface Spent {
  readonly minute: number;
  readonly kind: string;
  readonly spend: Spend;
}

/** Counts one record. */
export function addSpend(spending: Spending, timeline: Timeline, { minute, kind, spend }: Spent, emit: Emit): void {
  const line = lineOf(spending, spend.provider ?? '', spend.model ?? '', kind);
  const measures = measuresOf(spend);
  const rows = addToCell(spending, timeline, line, minute, measures);
  if (rows.labels.isIgnored) return;
  emit(usage, rows.usage, measures);
  emit(totals, rows.totals, measures);
}

export interface Estimated {
  readonly minute: number;
  readonly kind: string;
  readonly provider: string;
  readonly model: string;
  readonly measures: readonly Amount[];
}

/** Adds an estimate beside a record that is counted already. */
export function addEstimate(spending: Spending, timeline: Timeline, estimated: Estimated, emit: Emit): void {
  const { minute, kind, provider, model, measures } = estimated;
  const rows = addToCell(spending, timeline, lineOf(spending, provider, model, kind), minute, measures);
  if (!rows.labels.isIgnored) emit(usage, rows.usage, measures);
}

/** What of a claim is counted, before and after. */
export interface Rest {
  readonly minute: number;
  readonly provider: string;
  readonly model: string;
  readonly before: readonly Amount[];
  readonly after: readonly Amount[];
}

/** Moves what is counted of a claim to what is left of it now. Its cell stays, empty or not, so that its being there says nothing of the order. */
export function changeRest(spending: Spending, timeline: Timeline, { minute, provider, model, before, after }: Rest, emit: Emit): void {
  const change = after.map((amount, index) => difference(amount, before[index] ?? 0));
  const rows = addToCell(spending, timeline, lineOf(spending, provider, model, 'tool'), minute, change);
  if (rows.labels.isIgnored || change.every((amount) => amount === 0)) return;
  emit(usage, rows.usage, change);
  const growth = change.map((amount) => beyond(amount, 0));
  if (growth.some((amount) => amount !== 0)) emit(totals, rows.totals, growth);
}

/** Puts right where it is counted, after the timeline changed. */
export function moveSpend(spending: Spending, before: Timeline, after: Timeline, emit: Emit): void {
  for (const line of spending.lines.values()) {
    for (const cell of line.cells.values()) {
      const end = cell.minute + spending.cellMinutes - 1;
      if (sameLabels(labelsAt(before, end, line.provider), labelsAt(after, end, line.provider))) continue;
      const from = cell.rows ?? rowsOf(spending, line, cell.minute, before);
      cell.rows = rowsOf(spending, line, cell.minute, after);
      moveAmounts(cell.amounts, from, cell.rows, emit);
    }
  }
}

/** All of it, as if it came at once. */
export function emitAll(spending: Spending, timeline: Timeline, emit: Emit): void {
  for (const line of spending.lines.values()) {
    for (const cell of line.cells.values()) {
      cell.rows ??= rowsOf(spending, line, cell.minute, timeline);
      if (!cell.rows.labels.isIgnored) emit(usage, cell.rows.usage, cell.amounts);
    }
  }
}

/** Merges the minutes into quarters of an hour. */
export function coarsen(spending: Spending, timeline: Timeline, emit: Emit): void {
  const minutes = { ...spending };
  spending.cellMinutes = 15;
  spending.cells = 0;
  for (const line of spending.lines.values()) {
    const { cells } = line;
    line.cells = new Map();
    for (const { minute, amounts, rows } of cells.values()) {
      const from = rows ?? rowsOf(minutes, line, minute, timeline);
      const cell = cellOf(spending, line, minute);
      addAmounts(cell.amounts, amounts);
      cell.rows ??= rowsOf(spending, line, cell.minute, timeline);
      moveAmounts(amounts, from, cell.rows, emit);
    }
  }
}

export function lineOf(spending: Spending, provider: string, model: string, kind: string): Line {
  const { lastLine, lines } = spending;
  if (lastLine !== null && lastLine.kind === kind && lastLine.model === model && lastLine.provider === provider) return lastLine;
  const key = `${provider.length} ${model.length} ${provider}${model}${kind}`;
  const line = lines.get(key) ?? { provider, model, kind, cells: new Map(), rows: null };
  lines.set(key, line);
  spending.lastLine = line;
  return line;
}

export function addCell(spending: Spending, line: Line, minute: number, amounts: Amount[]): Cell {
  const cell: Cell = { minute, amounts, rows: null };
  line.cells.set(minute, cell);
  spending.cells += 1;
  return cell;
}

function addToCell(spending: Spending, timeline: Timeline, line: Line, minute: number, measures: readonly Amount[]): Rows {
  const cell = cellOf(spending, line, minute);
  addAmounts(cell.amounts, measures);
  cell.rows ??= rowsOf(spending, line, cell.minute, timeline);
  return cell.rows;
}

function cellOf(spending: Spending, line: Line, minute: number): Cell {
  const start = Math.floor(minute / spending.cellMinutes) * spending.cellMinutes;
  return line.cells.get(start) ?? addCell(spending, line, start, new Array<Amount>(usage.measures.length).fill(0));
}

function moveAmounts(amounts: readonly Amount[], from: Rows, to: Rows, emit: Emit): void {
  if (from.usage === to.usage) return;
  if (!from.labels.isIgnored) emit(usage, from.usage, negated(amounts));
  if (!to.labels.isIgnored) emit(usage, to.usage, amounts);
}

function rowsOf(spending: Spending, line: Line, minute: number, timeline: Timeline): Rows {
  const labels = labelsAt(timeline, minute + spending.cellMinutes - 1, line.provider);
  const hour = Math.floor(minute / minutesPerHour);
  const day = Math.floor((minute + labels.utcOffsetMinutes) / minutesPerDay);
  const { rows } = line;
  if (rows !== null && rows.labels === labels && rows.hour === hour && rows.day === day) return rows;
  const { project, branch, user, machine, host, billing } = labels;
  const { provider, model, kind } = line;
  const hourAndDay = [hourText(minute), localDayText(minute, labels.utcOffsetMinutes)];
  line.rows = {
    hour,
    day,
    labels,
    usage: [...hourAndDay, spending.sessionId, project, branch, user, machine, host, provider, model, kind, billing].map(wellFormed),
    totals: [project, provider, model, kind, billing, host, user].map(wellFormed),
  };
  return line.rows;
}

/** JSON can carry half a surrogate pair, a store's text cannot. */
function wellFormed(text: string): string {
  return text.toWellFormed();
}
