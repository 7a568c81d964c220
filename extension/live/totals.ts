/** Totals of what this process recorded, for `/ledger`: a quick overview, not the ledger. */
import type { Spend } from '@pi-ledger/contract';
import type { Billing } from '../attribution/attribution.ts';
import type { EventDraft } from '../record/draft.ts';

export interface Totals {
  /** Entries that carry usage. */
  records: number;
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  /** Separate, because list-price equivalents of a plan are no bill. */
  meteredNanoUsd: bigint;
  subscriptionNanoUsd: bigint;
  unknownBillingNanoUsd: bigint;
  /** Usage reported, but at an unknown price. */
  unpricedRecords: number;
  /** Attempts whose spend is lost. */
  unreportedRecords: number;
}

export function noTotals(): Totals {
  return {
    records: 0,
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    meteredNanoUsd: 0n,
    subscriptionNanoUsd: 0n,
    unknownBillingNanoUsd: 0n,
    unpricedRecords: 0,
    unreportedRecords: 0,
  };
}

export function addDraft(totals: Totals, draft: EventDraft, billing: Billing): void {
  const spend = 'spend' in draft.data ? draft.data.spend : null;
  if (spend !== null) addSpend(totals, spend, billing);
}

export function addTotals(totals: Totals, more: Totals): void {
  totals.records += more.records;
  totals.inputTokens += more.inputTokens;
  totals.outputTokens += more.outputTokens;
  totals.cacheReadTokens += more.cacheReadTokens;
  totals.cacheWriteTokens += more.cacheWriteTokens;
  totals.meteredNanoUsd += more.meteredNanoUsd;
  totals.subscriptionNanoUsd += more.subscriptionNanoUsd;
  totals.unknownBillingNanoUsd += more.unknownBillingNanoUsd;
  totals.unpricedRecords += more.unpricedRecords;
  totals.unreportedRecords += more.unreportedRecords;
}

function addSpend(totals: Totals, spend: Spend, billing: Billing): void {
  totals.records += 1;
  totals.inputTokens += spend.inputTokens;
  totals.outputTokens += spend.outputTokens;
  totals.cacheReadTokens += spend.cacheReadTokens;
  totals.cacheWriteTokens += spend.cacheWriteTokens;
  if (!spend.reported) totals.unreportedRecords += 1;
  else if (spend.costNanoUsd === null) totals.unpricedRecords += 1;
  totals[amountOf(billing[spend.provider ?? ''])] += BigInt(spend.costNanoUsd ?? 0);
}

function amountOf(
  kind: Billing[string] | undefined,
): 'meteredNanoUsd' | 'subscriptionNanoUsd' | 'unknownBillingNanoUsd' {
  if (kind === 'metered') return 'meteredNanoUsd';
  return kind === 'subscription' ? 'subscriptionNanoUsd' : 'unknownBillingNanoUsd';
}
