/** Adds what is recorded to totals. */
import type { Spend } from '@pi-ledger/contract';
import { billings } from '../../contract/answers/billings.ts';
import type { EventDraft } from '../../core/record/draft.ts';
import { summarySpend } from '../../core/record/summary-spend.ts';
import { isUnpriced, readPrice } from '../../core/spend/price.ts';
import type { Billing } from '../attribution/attribution.ts';
import type { BilledTotals, SessionTotals, SpentTotals } from './totals.ts';

export function addDraft(totals: SessionTotals, draft: EventDraft, billing: Billing): void {
  const spend = spendIn(draft);
  if (spend === null) return;
  totals.inputTokens += spend.inputTokens;
  totals.outputTokens += spend.outputTokens;
  totals.cacheReadTokens += spend.cacheReadTokens;
  totals.cacheWriteTokens += spend.cacheWriteTokens;
  addSpend(totals.spent, spend, billing);
}

export function addTotals(totals: SessionTotals, more: SessionTotals): void {
  totals.inputTokens += more.inputTokens;
  totals.outputTokens += more.outputTokens;
  totals.cacheReadTokens += more.cacheReadTokens;
  totals.cacheWriteTokens += more.cacheWriteTokens;
  for (const billing of billings) addBilled(totals.spent[billing], more.spent[billing]);
}

function addBilled(into: BilledTotals, more: BilledTotals): void {
  into.records += more.records;
  into.nanoUsd += more.nanoUsd;
  into.unpricedRecords += more.unpricedRecords;
  into.unreportedRecords += more.unreportedRecords;
}

function spendIn({ data }: EventDraft): Spend | null {
  if ('fromExtension' in data && 'spend' in data) return summarySpend(data);
  return 'spend' in data ? data.spend : null;
}

function addSpend(spent: SpentTotals, spend: Spend, billing: Billing): void {
  const billed = spent[billing[spend.provider ?? ''] ?? 'unknown'];
  billed.records += 1;
  if (!spend.reported) billed.unreportedRecords += 1;
  if (isUnpriced(spend)) billed.unpricedRecords += 1;
  billed.nanoUsd += BigInt(readPrice(spend) ?? 0);
}
