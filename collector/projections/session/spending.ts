/**
 * What one session spent, in cells of a UTC minute, provider, model and kind, and the rollup rows that the cells are counted under. Of a
 * project that is ignored there are cells, and no rows.
 *
 * - A cell counts under the attribution in force at its end; when the timeline changes, only the cells whose labels change are moved.
 * - A session with more than `cellsMax` cells goes over to quarters of an hour for good: every UTC offset in use is a multiple of it, so
 *   hours and days stay right, and the document stays small. Whether it does depends on the set of events, not on their order. With more than
 *   `longCellsMax` of these it goes over to hours; where an offset is not a multiple of them, an hour around midnight counts for one day.
 * - Of more than `linesMax` lines those that come last in the alphabet are one, `(other)`. Which these are depends on the set of lines; how fine
 *   the cells of such a session are may depend on their order.
 */
import type { Spend } from '@pi-ledger/contract';
import { type Amount, addAmounts, beyond, difference, negated } from '../amount.ts';
import type { Emit } from '../projection.ts';
import { totals, withoutTotals } from '../totals.ts';
import { measuresOf, usage } from '../usage.ts';
import { compareLines, keyOf, type LineName } from './line-name.ts';
import { type Rows, rowsOf } from './rows.ts';
import { labelsAt, sameLabels, type Timeline } from './timeline.ts';
import { noCopies, restOfCopies, type UnpricedCopies, unpricedKey } from './unpriced.ts';

export type CellMinutes = 1 | 15 | 60;

/** Different providers, models and kinds. */
const linesMax = 150;
const other = '(other)';

export interface Spending {
  readonly sessionId: string;
  cellMinutes: CellMinutes;
  cells: number;
  readonly lines: Map<string, Line>;
  /** By line and cell. */
  readonly unpriced: Map<string, UnpricedCopies>;
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

export function createSpending(sessionId: string, cellMinutes: CellMinutes): Spending {
  return { sessionId, cellMinutes, cells: 0, lines: new Map(), unpriced: new Map(), lastLine: null };
}

export interface Spent {
  readonly minute: number;
  readonly kind: string;
  readonly spend: Spend;
}

/** Counts one record. */
export function addSpend(spending: Spending, timeline: Timeline, { minute, kind, spend }: Spent, emit: Emit): void {
  addMeasures({ spending, timeline, emit }, nameOf(spend, kind), minute, measuresOf(spend));
}

/** It counts elsewhere now. */
export function removeSpend(spending: Spending, timeline: Timeline, { minute, kind, spend }: Spent, emit: Emit): void {
  addMeasures({ spending, timeline, emit: withoutTotals(emit) }, nameOf(spend, kind), minute, negated(measuresOf(spend)));
}

function nameOf(spend: Spend, kind: string): LineName {
  return { provider: spend.provider ?? '', model: spend.model ?? '', kind };
}

function addMeasures(counting: Counting, name: LineName, minute: number, measures: readonly Amount[]): void {
  const { spending, emit } = counting;
  const rows = addToCell(counting, name, minute, measures);
  if (!rows.labels.isIgnored) {
    emit(usage, rows.usage, measures);
    emit(totals, rows.totals, measures);
  }
  if (spending.unpriced.size > 0) settleUnpriced(counting, keptLineOf(counting, name), minute);
}

/** A record as a copy has it that lost its price: it counts what it has beyond the records of its owner (unpriced.ts). */
export function addUnpriced(spending: Spending, timeline: Timeline, { minute, kind, spend }: Spent, sign: 1 | -1, emit: Emit): void {
  const counting = { spending, timeline, emit };
  const measures = sign === 1 ? measuresOf(spend) : negated(measuresOf(spend));
  settleUnpriced(counting, addSaid(counting, nameOf(spend, kind), minute, measures), minute);
}

function addSaid(counting: Counting, name: LineName, minute: number, measures: readonly Amount[]): Line {
  const { spending } = counting;
  const line = keptLineOf(counting, name);
  const { minute: start } = cellOf(spending, line, minute);
  const key = unpricedKey(line, start);
  const { provider, model, kind } = line;
  const copies = spending.unpriced.get(key) ?? { provider, model, kind, minute: start, ...noCopies() };
  spending.unpriced.set(key, copies);
  addAmounts(copies.said, measures);
  return line;
}

function settleUnpriced(counting: Counting, line: Line, minute: number): void {
  const { spending } = counting;
  const cell = cellOf(spending, line, minute);
  const copies = spending.unpriced.get(unpricedKey(line, cell.minute));
  if (copies !== undefined) changeUnpriced(counting, copies, restOfCopies(copies, cell.amounts));
}

function changeUnpriced(counting: Counting, copies: UnpricedCopies, after: readonly Amount[]): void {
  const change = after.map((amount, index) => difference(amount, copies.rest[index] ?? 0));
  copies.rest = after;
  count(counting, copies, copies.minute, change);
}

/** Where cells are merged: out of the old ones before, into the new ones after. */
function moveUnpriced(counting: Counting, isMeant: (copies: UnpricedCopies) => boolean, into: LineName | null, merge: () => void): void {
  const { spending } = counting;
  const quiet = { ...counting, emit: withoutTotals(counting.emit) };
  const moving = [...spending.unpriced].filter(([, copies]) => isMeant(copies));
  for (const [key, copies] of moving) {
    spending.unpriced.delete(key);
    changeUnpriced(quiet, copies, noCopies().rest);
  }
  merge();
  for (const [, copies] of moving) settleUnpriced(quiet, addSaid(quiet, into ?? copies, copies.minute, copies.said), copies.minute);
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
  const rows = addToCell({ spending, timeline, emit }, { provider, model, kind }, minute, measures);
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
  count({ spending, timeline, emit }, { provider, model, kind: 'tool' }, minute, change);
}

/** Counters cannot take anything back: of them only growth. */
function count(counting: Counting, name: LineName, minute: number, change: readonly Amount[]): void {
  const { emit } = counting;
  const rows = addToCell(counting, name, minute, change);
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

/** Merges the cells into longer ones. */
export function coarsen(spending: Spending, timeline: Timeline, cellMinutes: CellMinutes, emit: Emit): void {
  const counting = { spending, timeline, emit };
  moveUnpriced(
    counting,
    () => true,
    null,
    () => mergeCells(counting, cellMinutes),
  );
}

function mergeCells({ spending, timeline, emit }: Counting, cellMinutes: CellMinutes): void {
  const minutes = { ...spending };
  spending.cellMinutes = cellMinutes;
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
  const key = keyOf({ provider, model, kind });
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

interface Counting {
  readonly spending: Spending;
  readonly timeline: Timeline;
  readonly emit: Emit;
}

function addToCell(counting: Counting, name: LineName, minute: number, measures: readonly Amount[]): Rows {
  const { spending, timeline } = counting;
  const line = keptLineOf(counting, name);
  const cell = cellOf(spending, line, minute);
  addAmounts(cell.amounts, measures);
  cell.rows ??= rowsOf(spending, line, cell.minute, timeline);
  return cell.rows;
}

/** The first of the alphabet are kept, whatever the order they come in: one that was merged stays so. */
function keptLineOf(counting: Counting, name: LineName): Line {
  const { spending } = counting;
  const line = lineOf(spending, name.provider, name.model, name.kind);
  if (spending.lines.size <= linesMax) return line;
  const named = [...spending.lines.values()].filter((each) => each.model !== other);
  if (named.length <= linesMax) return line;
  const last = named.reduce((latest, each) => (compareLines(each, latest) > 0 ? each : latest));
  const isOfLast = (copies: UnpricedCopies): boolean => keyOf(copies) === keyOf(last);
  moveUnpriced(counting, isOfLast, { provider: other, model: other, kind: other }, () => mergeIntoOther(counting, last));
  return last === line ? lineOf(spending, other, other, other) : line;
}

function mergeIntoOther({ spending, timeline, emit }: Counting, line: Line): void {
  // Counting what is merged may have come here first.
  if (!spending.lines.delete(keyOf(line))) return;
  const into = lineOf(spending, other, other, other);
  spending.lastLine = null;
  spending.cells -= line.cells.size;
  for (const { minute, amounts, rows } of line.cells.values()) {
    const from = rows ?? rowsOf(spending, line, minute, timeline);
    const cell = cellOf(spending, into, minute);
    addAmounts(cell.amounts, amounts);
    cell.rows ??= rowsOf(spending, into, cell.minute, timeline);
    moveAmounts(amounts, from, cell.rows, emit);
  }
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
