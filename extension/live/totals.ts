/**
 * Totals of what this process recorded, for `/ledger`: a quick overview, not the ledger. What is
 * recorded is added in add-spend.ts.
 */
import { billings } from '../../contract/answers/billings.ts';

/** Each kind of billing has its own. */
export interface BilledTotals {
  /** Entries that carry usage. */
  records: number;
  nanoUsd: bigint;
  /** Usage reported, but at an unknown price. */
  unpricedRecords: number;
  /** Attempts whose spend is lost. */
  unreportedRecords: number;
}

/** Separate, because list-price equivalents of a plan are no bill. */
export interface SpentTotals {
  readonly metered: BilledTotals;
  readonly subscription: BilledTotals;
  readonly unknown: BilledTotals;
}

export interface SessionTotals {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  readonly spent: SpentTotals;
}

export function noTotals(): SessionTotals {
  const none = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  return { ...none, spent: nothingSpent() };
}

export function nothingSpent(): SpentTotals {
  const nothing = { records: 0, nanoUsd: 0n, unpricedRecords: 0, unreportedRecords: 0 };
  return { metered: { ...nothing }, subscription: { ...nothing }, unknown: { ...nothing } };
}

export function recordsIn(spent: SpentTotals): number {
  return billings.reduce((sum, billing) => sum + spent[billing].records, 0);
}

/** Tokens and amounts that can be compared and subtracted (repeated-spend.ts). */
export interface TotalFigures {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly nanoUsd: bigint;
}

export function noFigures(): TotalFigures {
  return {
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    nanoUsd: 0n,
  };
}
