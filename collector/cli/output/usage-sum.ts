import type { UsageFigures } from '@pi-ledger/contract/answers';
import { exactCount } from '../../queries/exact-count.ts';

/** Adds up the figures of several rows. Amounts of different billing stay apart, as everywhere. */
export function sumFigures(rows: readonly UsageFigures[]): UsageFigures {
  const count = (field: CountField) => rows.reduce((sum, row) => sum + row[field], 0);
  const tokens = (field: TokenField) =>
    exactCount(rows.reduce((sum, row) => sum + BigInt(row[field]), 0n));
  const amount = (field: AmountField) =>
    rows.reduce((sum, row) => sum + BigInt(row[field]), 0n).toString();
  return {
    records: count('records'),
    inputTokens: tokens('inputTokens'),
    outputTokens: tokens('outputTokens'),
    cacheReadTokens: tokens('cacheReadTokens'),
    cacheWriteTokens: tokens('cacheWriteTokens'),
    reasoningTokens: tokens('reasoningTokens'),
    meteredNanoUsd: amount('meteredNanoUsd'),
    subscriptionNanoUsd: amount('subscriptionNanoUsd'),
    unknownBillingNanoUsd: amount('unknownBillingNanoUsd'),
    unpricedRecords: count('unpricedRecords'),
    unreportedRecords: count('unreportedRecords'),
    unreportedTokensMax: tokens('unreportedTokensMax'),
    unreportedNanoUsdMax: amount('unreportedNanoUsdMax'),
  };
}

type AmountField = Extract<keyof UsageFigures, `${string}NanoUsd${string}`>;
type TokenField = Extract<keyof UsageFigures, `${string}Tokens${string}`>;
type CountField = Exclude<keyof UsageFigures, AmountField | TokenField>;
