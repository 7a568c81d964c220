import type { UsageRow } from '@pi-ledger/contract/answers';

const nothing = {
  inputNanoUsd: '0',
  outputNanoUsd: '0',
  cacheReadNanoUsd: '0',
  cacheWriteNanoUsd: '0',
  otherNanoUsd: '0',
  unpricedRecords: 0,
  unreportedRecords: 0,
};

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
    byBilling: { metered: nothing, subscription: nothing, unknown: nothing },
    ...fields,
  };
}
