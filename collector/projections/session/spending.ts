/**
 * What one session spent, in cells by UTC minute in lines, and the rollup rows that the cells are
 * counted under. Ignored projects have cells but no rows.
 *
 * - A cell counts under the attribution at its end; when the timeline changes, only cells whose
 *   labels change are moved.
 * - A session with more than `cellsMax` cells switches to quarters of an hour for good: every UTC
 *   offset in use is a multiple of them, so hours and days stay exact and the document stays small.
 *   The switch depends on the set of events, not on their order. With more than `longCellsMax` of
 *   these it switches to hours; where an offset is not a multiple of them, an hour around midnight
 *   counts for one day.
 * - There is room for so many lines (room-for-lines.ts). How fine the cells of a session with more
 *   are may depend on the order of its events.
 */
import type { Spend } from '@pi-ledger/contract';
import { type Amount, addAmounts, beyond, difference, negated } from '../amount.ts';
import { noAmounts, recordAmounts } from '../spend-amounts.ts';
import { totals, withoutTotals } from '../totals.ts';
import { measuresOf, usage } from '../usage.ts';
import {
  type CellMinutes,
  type CellRows,
  cellOf,
  cellStart,
  type Family,
  familyAmountsAt,
  lineOf,
  openFamily,
  type SpendLine,
} from './cells.ts';
import { compareFamilies, type FamilyName, type LineName, variantKey } from './line-name.ts';
import { type Counting, mergeCells, mergeFamily, mergeLine } from './regroup.ts';
import { familyBeyond, lineBeyond, otherFamily, otherVariant } from './room-for-lines.ts';
import { toRows } from './rows.ts';
import {
  noCopies,
  restOfCopies,
  type UnpricedCopies,
  unpricedKey,
  unpricedVariant,
} from './unpriced.ts';

export interface Spent {
  readonly minute: number;
  readonly name: LineName;
  readonly spend: Spend;
}

/** 1 counts a record; -1 takes it back, because it counts elsewhere now. */
export type Sign = 1 | -1;

/** Counts one record, or takes it back. */
export function addSpend(counting: Counting, { minute, name, spend }: Spent, sign: Sign): void {
  const { emit } = counting;
  const measures = signedMeasures(spend, name, sign);
  const rows = addToCell(counting, name, minute, measures);
  if (!rows.labels.isIgnored) {
    emit(usage, rows.usage, measures);
    emit(totals, rows.totals, recordAmounts(measures));
  }
  settleCopies(counting, name, minute);
}

/**
 * A record from a copy that lost its price: only what exceeds its owner's records counts
 * (unpriced.ts).
 */
export function addUnpriced(counting: Counting, { minute, name, spend }: Spent, sign: Sign): void {
  settleUnpriced(
    counting,
    addSaid(counting, name, minute, signedMeasures(spend, name, sign)),
    minute,
  );
}

function signedMeasures(spend: Spend, { kind }: LineName, sign: Sign): Amount[] {
  return sign === 1 ? measuresOf(spend, kind) : negated(measuresOf(spend, kind));
}

function addSaid(
  counting: Counting,
  name: FamilyName,
  minute: number,
  measures: readonly Amount[],
): Family {
  const { spending } = counting;
  const line = openKeptLine(counting, { ...name, ...unpricedVariant });
  const { minute: start } = cellOf(spending, line, minute);
  const { provider, model, kind } = line;
  const key = unpricedKey(line, start);
  const copies = spending.unpriced.get(key) ?? {
    provider,
    model,
    kind,
    minute: start,
    ...noCopies(),
  };
  spending.unpriced.set(key, copies);
  addAmounts(copies.said, recordAmounts(measures));
  return line.family;
}

/** Updates what copies count after the records beside them have changed. */
function settleCopies(counting: Counting, name: LineName, minute: number): void {
  if (counting.spending.unpriced.size > 0)
    settleUnpriced(counting, openKeptLine(counting, name).family, minute);
}

function settleUnpriced(counting: Counting, family: Family, minute: number): void {
  const { unpriced, cellMinutes } = counting.spending;
  const start = cellStart(minute, cellMinutes);
  const copies = unpriced.get(unpricedKey(family, start));
  if (copies !== undefined)
    changeUnpriced(counting, copies, restOfCopies(copies, familyAmountsAt(family, start)));
}

function changeUnpriced(
  counting: Counting,
  copies: UnpricedCopies,
  after: readonly Amount[],
): void {
  const change = after.map((amount, index) => difference(amount, copies.rest[index] ?? 0));
  copies.rest = after;
  addMeasures(counting, { ...copies, ...unpricedVariant }, copies.minute, change);
}

/**
 * Around a merge of cells: takes copies out of the old cells before it and adds them to the new
 * ones after it.
 */
function moveUnpriced(
  counting: Counting,
  isMeant: (copies: UnpricedCopies) => boolean,
  into: FamilyName | null,
  merge: () => void,
): void {
  const { spending } = counting;
  const quiet = { ...counting, emit: withoutTotals(counting.emit) };
  const moving = [...spending.unpriced].filter(([, copies]) => isMeant(copies));
  // All are deleted first, because counting may come here again for the same line.
  for (const [key] of moving) spending.unpriced.delete(key);
  for (const [, copies] of moving) changeUnpriced(quiet, copies, noAmounts);
  merge();
  for (const [, copies] of moving)
    settleUnpriced(
      quiet,
      addSaid(quiet, into ?? copies, copies.minute, copies.said),
      copies.minute,
    );
}

export interface Estimated {
  readonly minute: number;
  readonly name: LineName;
  readonly measures: readonly Amount[];
}

/** Adds an estimate beside a record that is counted already. */
export function addEstimate(counting: Counting, { minute, name, measures }: Estimated): void {
  const rows = addToCell(counting, name, minute, measures);
  if (!rows.labels.isIgnored) counting.emit(usage, rows.usage, measures);
}

/** The counted part of a claim, before and after. */
export interface Rest {
  readonly minute: number;
  readonly name: LineName;
  readonly before: readonly Amount[];
  readonly after: readonly Amount[];
}

/**
 * Changes the counted part of a claim. Its cell stays even when empty, so that the order of events
 * leaves no trace.
 */
export function changeRest(counting: Counting, { minute, name, before, after }: Rest): void {
  const change = after.map((amount, index) => difference(amount, before[index] ?? 0));
  addMeasures(counting, name, minute, change);
  settleCopies(counting, name, minute);
}

/** Adds what is no record of its own, or takes it back. Counters only take growth. */
export function addMeasures(
  counting: Counting,
  name: LineName,
  minute: number,
  change: readonly Amount[],
): void {
  const { emit } = counting;
  const rows = addToCell(counting, name, minute, change);
  if (rows.labels.isIgnored || change.every((amount) => amount === 0)) return;
  emit(usage, rows.usage, change);
  const growth = recordAmounts(change).map((amount) => beyond(amount, 0));
  if (growth.some((amount) => amount !== 0)) emit(totals, rows.totals, growth);
}

/** Merges the cells into longer ones. */
export function coarsen(counting: Counting, cellMinutes: CellMinutes): void {
  const isMeant = (): boolean => true;
  moveUnpriced(counting, isMeant, null, () => mergeCells(counting, cellMinutes));
}

function addToCell(
  counting: Counting,
  name: LineName,
  minute: number,
  measures: readonly Amount[],
): CellRows {
  const { spending, timeline } = counting;
  const line = openKeptLine(counting, name);
  const cell = cellOf(spending, line, minute);
  addAmounts(cell.amounts, measures);
  cell.rows ??= toRows(spending, line, cell.minute, timeline);
  return cell.rows;
}

/** The line that this spend counts in, after making room for it. */
function openKeptLine(counting: Counting, name: LineName): SpendLine {
  const { spending } = counting;
  const line = lineOf(spending, name);
  const last = familyBeyond(spending);
  if (last !== null) {
    mergeIntoOthers(counting, last);
    return openKeptLine(counting, last === line.family ? { ...name, ...otherFamily } : name);
  }
  boundLines(counting, line.family);
  const isKept = line.family.lines.has(variantKey(line));
  return isKept ? line : lineOf(spending, { ...name, ...otherVariant });
}

function mergeIntoOthers(counting: Counting, last: Family): void {
  // The copies of `(other)` move too: they then have more records beside them.
  const isMeant = (copies: UnpricedCopies): boolean =>
    [last, otherFamily].some((each) => compareFamilies(copies, each) === 0);
  moveUnpriced(counting, isMeant, otherFamily, () => {
    mergeFamily(counting, last, otherFamily);
    boundLines(counting, openFamily(counting.spending, otherFamily));
  });
}

function boundLines(counting: Counting, family: Family): void {
  for (let last = lineBeyond(family); last !== null; last = lineBeyond(family))
    mergeLine(counting, last, otherVariant);
}
