import type { UsageFigures } from '@pi-ledger/contract/answers';
import { billedNames, billings } from '@pi-ledger/contract/billings';
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
    packageRequests: count('packageRequests'),
    streamedAnswers: count('streamedAnswers'),
    byBilling: Object.fromEntries(
      billings.map((billing) => [billing, sumBilled(rows.map((row) => row.byBilling[billing]))]),
    ) as UsageFigures['byBilling'],
  };
}

type Billed = UsageFigures['byBilling']['metered'];

function sumBilled(rows: readonly Billed[]): Billed {
  const sums = billedNames.map((name) => {
    const sum = rows.reduce((all, row) => all + BigInt(row[name]), 0n);
    return [name, name.endsWith('NanoUsd') ? sum.toString() : Number(sum)];
  });
  return Object.fromEntries(sums) as Billed;
}

type FlatFigures = Omit<UsageFigures, 'byBilling'>;

type AmountField = Extract<keyof FlatFigures, `${string}NanoUsd${string}`>;
type TokenField = Extract<keyof FlatFigures, `${string}Tokens${string}`>;
type CountField = Exclude<keyof FlatFigures, AmountField | TokenField>;
