/**
 * What one session spent, as cells by UTC minute in lines (line-name.ts). spending.ts decides which
 * rows they are counted under.
 */
import type { SpendDimension } from '@pi-ledger/contract/spend-shape';
import { type Amount, addAmounts } from '../amount.ts';
import type { RowKey } from '../projection.ts';
import { noAmounts } from '../spend-amounts.ts';
import type { TotalDimension } from '../totals.ts';
import type { Labels } from './labels.ts';
import { type FamilyName, familyKey, type LineName, variantKey } from './line-name.ts';
import type { UnpricedCopies } from './unpriced.ts';

export type CellMinutes = 1 | 15 | 60;

export interface Spending {
  readonly sessionId: string;
  cellMinutes: CellMinutes;
  cells: number;
  readonly families: Map<string, Family>;
  /** By family and minute. */
  readonly unpriced: Map<string, UnpricedCopies>;
  /** The next record usually belongs to the same line. */
  lastLine: SpendLine | null;
}

/** All spend of one provider, model and kind. */
export interface Family extends FamilyName {
  readonly lines: Map<string, SpendLine>;
}

export interface SpendLine extends LineName {
  readonly family: Family;
  /** By the minute they start in. */
  cells: Map<number, SpendCell>;
  /** The rows of the newest cell, usually shared by the next one. */
  rows: CellRows | null;
}

/** Which rows of the rollups a cell is counted under. */
export interface CellRows {
  readonly hour: number;
  readonly day: number;
  readonly labels: Labels;
  readonly usage: RowKey<SpendDimension>;
  readonly totals: RowKey<TotalDimension>;
}

export interface SpendCell {
  readonly minute: number;
  readonly amounts: Amount[];
  /** The rows it is counted under; null until needed. */
  rows: CellRows | null;
}

export function createSpending(sessionId: string, cellMinutes: CellMinutes): Spending {
  return {
    sessionId,
    cellMinutes,
    cells: 0,
    families: new Map(),
    unpriced: new Map(),
    lastLine: null,
  };
}

export function lineOf(spending: Spending, name: LineName): SpendLine {
  const { lastLine } = spending;
  if (lastLine !== null && isSame(lastLine, name)) return lastLine;
  const family = openFamily(spending, name);
  const key = variantKey(name);
  const line = family.lines.get(key) ?? newLine(family, name);
  family.lines.set(key, line);
  spending.lastLine = line;
  return line;
}

export function openFamily({ families }: Spending, name: FamilyName): Family {
  const key = familyKey(name);
  const { provider, model, kind } = name;
  const family = families.get(key) ?? { provider, model, kind, lines: new Map() };
  families.set(key, family);
  return family;
}

export function* allLines({ families }: Spending): Generator<SpendLine> {
  for (const { lines } of families.values()) yield* lines.values();
}

function newLine(family: Family, { thinking, costSource, stopReason }: LineName): SpendLine {
  const { provider, model, kind } = family;
  const variant = { thinking, costSource, stopReason };
  return { family, provider, model, kind, ...variant, cells: new Map(), rows: null };
}

function isSame(line: SpendLine, name: LineName): boolean {
  return (
    line.stopReason === name.stopReason &&
    line.thinking === name.thinking &&
    line.costSource === name.costSource &&
    line.kind === name.kind &&
    line.model === name.model &&
    line.provider === name.provider
  );
}

export function addCell(
  spending: Spending,
  line: SpendLine,
  minute: number,
  amounts: Amount[],
): SpendCell {
  const cell: SpendCell = { minute, amounts, rows: null };
  line.cells.set(minute, cell);
  spending.cells += 1;
  return cell;
}

/** The minute in which the cell around this one starts. */
export function cellStart(minute: number, cellMinutes: CellMinutes): number {
  return Math.floor(minute / cellMinutes) * cellMinutes;
}

export function cellOf(spending: Spending, line: SpendLine, minute: number): SpendCell {
  const start = cellStart(minute, spending.cellMinutes);
  return line.cells.get(start) ?? addCell(spending, line, start, noAmounts.slice());
}

/** Everything that a family has in the cells that start at this minute. */
export function familyAmountsAt({ lines }: Family, start: number): Amount[] {
  const sum = noAmounts.slice();
  for (const { cells } of lines.values()) addAmounts(sum, cells.get(start)?.amounts ?? []);
  return sum;
}
