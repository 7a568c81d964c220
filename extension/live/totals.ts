/**
 * Totals of what this process recorded, for `/ledger`: a quick overview, not the ledger. What is
 * recorded is added in add-spend.ts.
 */
import { billings } from '../../contract/answers/billings.ts';

/** Each kind of billing has its own. */
export interface Billed {
  /** Entries that carry usage. */
  records: number;
  nanoUsd: bigint;
  /** Usage reported, but at an unknown price. */
  unpricedRecords: number;
  /** Attempts whose spend is lost. */
  unreportedRecords: number;
}

/** Separate, because list-price equivalents of a plan are no bill. */
export interface Spent {
  readonly metered: Billed;
  readonly subscription: Billed;
  readonly unknown: Billed;
}

export interface Totals {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  readonly spent: Spent;
}

export function noTotals(): Totals {
  const none = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  return { ...none, spent: nothingSpent() };
}

export function nothingSpent(): Spent {
  const nothing = { records: 0, nanoUsd: 0n, unpricedRecords: 0, unreportedRecords: 0 };
  return { metered: { ...nothing }, subscription: { ...nothing }, unknown: { ...nothing } };
}

export function recordsIn(spent: Spent): number {
  return billings.reduce((sum, billing) => sum + spent[billing].records, 0);
}

/** Tokens and amounts that can be compared and subtracted (repeated-spend.ts). */
export interface Figures {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly nanoUsd: bigint;
}

export function noFigures(): Figures {
  return {
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    nanoUsd: 0n,
  };
}
