import type { UsageRow } from '@pi-ledger/contract/answers';
import { notBilled } from '@pi-ledger/contract/billings';

/** A row of `/v1/usage` that has spent nothing but what `fields` say. */
export function usageRow(fields: Partial<UsageRow>): UsageRow {
  return {
    records: 0,
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    meteredNanoUsd: '0',
    subscriptionNanoUsd: '0',
    unknownBillingNanoUsd: '0',
    unpricedRecords: 0,
    unreportedRecords: 0,
    unreportedTokensMax: 0,
    unreportedNanoUsdMax: '0',
    packageRequests: 0,
    streamedAnswers: 0,
    byBilling: { metered: notBilled, subscription: notBilled, unknown: notBilled },
    ...fields,
  };
}
