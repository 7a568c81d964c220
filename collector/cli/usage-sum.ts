import type { UsageFigures } from '@pi-ledger/contract/answers';

/** Figures of several rows in one. Amounts of different billing stay apart, as everywhere. */
export function sumFigures(rows: readonly UsageFigures[]): UsageFigures {
  const count = (field: CountField) => rows.reduce((sum, row) => sum + row[field], 0);
  const amount = (field: AmountField) => rows.reduce((sum, row) => sum + BigInt(row[field]), 0n).toString();
  return {
    records: count('records'),
    inputTokens: count('inputTokens'),
    outputTokens: count('outputTokens'),
    cacheReadTokens: count('cacheReadTokens'),
    cacheWriteTokens: count('cacheWriteTokens'),
    reasoningTokens: count('reasoningTokens'),
    meteredNanoUsd: amount('meteredNanoUsd'),
    subscriptionNanoUsd: amount('subscriptionNanoUsd'),
    unknownBillingNanoUsd: amount('unknownBillingNanoUsd'),
    unpricedRecords: count('unpricedRecords'),
    unreportedRecords: count('unreportedRecords'),
    unreportedTokensMax: count('unreportedTokensMax'),
    unreportedNanoUsdMax: amount('unreportedNanoUsdMax'),
  };
}

type AmountField = Extract<keyof UsageFigures, `${string}NanoUsd${string}`>;
type CountField = Exclude<keyof UsageFigures, AmountField>;
