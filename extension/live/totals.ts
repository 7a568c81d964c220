/** Totals of what this process recorded, for `/ledger`: a quick overview, not the ledger. */
import type { Spend } from '@pi-ledger/contract';
import { billings } from '../../contract/answers/billings.ts';
import type { EventDraft } from '../../core/record/draft.ts';
import { summarySpend } from '../../core/record/summary-spend.ts';
import { isUnpriced, readPrice } from '../../core/spend/price.ts';
import type { Billing } from '../attribution/attribution.ts';

/** Of one kind of billing. */
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

export function addDraft(totals: Totals, draft: EventDraft, billing: Billing): void {
  const spend = spendIn(draft);
  if (spend === null) return;
  totals.inputTokens += spend.inputTokens;
  totals.outputTokens += spend.outputTokens;
  totals.cacheReadTokens += spend.cacheReadTokens;
  totals.cacheWriteTokens += spend.cacheWriteTokens;
  addSpend(totals.spent, spend, billing);
}

export function addTotals(totals: Totals, more: Totals): void {
  totals.inputTokens += more.inputTokens;
  totals.outputTokens += more.outputTokens;
  totals.cacheReadTokens += more.cacheReadTokens;
  totals.cacheWriteTokens += more.cacheWriteTokens;
  for (const billing of billings) addBilled(totals.spent[billing], more.spent[billing]);
}

function addBilled(into: Billed, more: Billed): void {
  into.records += more.records;
  into.nanoUsd += more.nanoUsd;
  into.unpricedRecords += more.unpricedRecords;
  into.unreportedRecords += more.unreportedRecords;
}

function spendIn({ data }: EventDraft): Spend | null {
  if ('fromExtension' in data && 'spend' in data) return summarySpend(data);
  return 'spend' in data ? data.spend : null;
}

function addSpend(spent: Spent, spend: Spend, billing: Billing): void {
  const billed = spent[billing[spend.provider ?? ''] ?? 'unknown'];
  billed.records += 1;
  if (!spend.reported) billed.unreportedRecords += 1;
  if (isUnpriced(spend)) billed.unpricedRecords += 1;
  billed.nanoUsd += BigInt(readPrice(spend) ?? 0);
}
