/**
 * What one session spent, as cells by UTC minute, provider, model and kind. spending.ts decides
 * which rows they are counted under.
 */
import type { Amount } from '../amount.ts';
import { usageMeasures } from '../usage.ts';
import { keyOf, type LineName } from './line-name.ts';
import type { Rows } from './rows.ts';
import type { UnpricedCopies } from './unpriced.ts';

export type CellMinutes = 1 | 15 | 60;

export interface Spending {
  readonly sessionId: string;
  cellMinutes: CellMinutes;
  cells: number;
  readonly lines: Map<string, Line>;
  /** By line and minute. */
  readonly unpriced: Map<string, UnpricedCopies>;
  /** The next record usually belongs to the same line. */
  lastLine: Line | null;
}

/** All spend of one provider, model and kind. */
export interface Line {
  readonly provider: string;
  readonly model: string;
  readonly kind: string;
  /** By the minute they start in. */
  cells: Map<number, Cell>;
  /** The rows of the newest cell, usually shared by the next one. */
  rows: Rows | null;
}

export interface Cell {
  readonly minute: number;
  readonly amounts: Amount[];
  /** The rows it is counted under; null until needed. */
  rows: Rows | null;
}

export function createSpending(sessionId: string, cellMinutes: CellMinutes): Spending {
  return {
    sessionId,
    cellMinutes,
    cells: 0,
    lines: new Map(),
    unpriced: new Map(),
    lastLine: null,
  };
}

export function lineOf(spending: Spending, { provider, model, kind }: LineName): Line {
  const { lastLine, lines } = spending;
  if (
    lastLine !== null &&
    lastLine.kind === kind &&
    lastLine.model === model &&
    lastLine.provider === provider
  )
    return lastLine;
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

const zeros: readonly Amount[] = usageMeasures.map(() => 0);

export function cellOf(spending: Spending, line: Line, minute: number): Cell {
  const start = Math.floor(minute / spending.cellMinutes) * spending.cellMinutes;
  return line.cells.get(start) ?? addCell(spending, line, start, zeros.slice());
}
