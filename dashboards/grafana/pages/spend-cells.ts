/** Columns of spend, in one order everywhere. The kinds of billing stand side by side. */
import type { UsageRow } from '@pi-ledger/contract/answers';
import type { Cell, Cells } from '../kit/cells.ts';

export const unpriced =
  'Records without a price; a sum is then marked ≥. Attempts that reported nothing.';

export function spendCells(cell: Cells<UsageRow>): readonly Cell[] {
  return [
    cell.atLeast('Metered at least', 'byBilling.metered.unpricedRecords'),
    cell.usdSum('Metered', 'meteredNanoUsd', 'byBilling.metered.unpricedRecords'),
    cell.atLeast('Subscription at least', 'byBilling.subscription.unpricedRecords'),
    cell.usdSum('Subscription', 'subscriptionNanoUsd', 'byBilling.subscription.unpricedRecords'),
    cell.usdSum('Unknown billing', 'unknownBillingNanoUsd', 'byBilling.unknown.unpricedRecords'),
    cell.sum('Tokens', 'inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'),
    cell.share(
      'From cache',
      'cacheReadTokens',
      'inputTokens',
      'cacheReadTokens',
      'cacheWriteTokens',
    ),
    cell.count('Unpriced', 'unpricedRecords'),
    cell.count('Unreported', 'unreportedRecords'),
  ];
}
