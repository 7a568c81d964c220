/** Prices of a model as this ledger recorded them, and a price list made of them. */
import type { UsageFineRow } from '@pi-ledger/contract/answers';
import type { ModelName } from './asks.ts';

/** USD per million tokens, as price lists say it. */
export interface Prices {
  readonly input: number;
  readonly output: number;
  readonly cache_read: number;
  readonly cache_write: number;
}

/**
 * The average of each price: over what was metered, or, where nothing was, over what a subscription
 * covers, at list price. What the model never did, such as writing a cache, counts as input; what
 * it did for nothing stays free. Null: it has no price of input or output.
 */
export function recordedPrices(rows: readonly UsageFineRow[]): Prices | null {
  const priced = rows.filter((row) => row.unpricedRecords === 0 && isSplit(row));
  const billing = priced.some((row) => row.billing === 'metered') ? 'metered' : 'subscription';
  const charged = priced.filter((row) => row.billing === billing);
  const input = average(charged, 'input');
  const output = average(charged, 'output');
  if (input === null || output === null) return null;
  return {
    input,
    output,
    cache_read: average(charged, 'cacheRead') ?? input,
    cache_write: average(charged, 'cacheWrite') ?? input,
  };
}

/** Every model at the same prices. */
export function priceList(models: readonly ModelName[], prices: Prices): object {
  const providers = new Map<string, [string, { readonly cost: Prices }][]>();
  for (const { provider, model } of models) {
    if (provider === null || model === null) continue;
    const listed = providers.get(provider) ?? [];
    listed.push([model, { cost: prices }]);
    providers.set(provider, listed);
  }
  return Object.fromEntries(
    [...providers].map(([provider, listed]) => [provider, { models: Object.fromEntries(listed) }]),
  );
}

const parts = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;
type Part = (typeof parts)[number];

/** It cost something, and of nine tenths or more the host says which tokens they were for. */
function isSplit(row: UsageFineRow): boolean {
  const nanoUsd = BigInt(row.nanoUsd);
  const split = parts.reduce((all, part) => all + BigInt(row[`${part}NanoUsd`]), 0n);
  return nanoUsd > 0n && split * 10n >= nanoUsd * 9n;
}

/** To the millionth of a dollar per million tokens; null: there was not one token. */
function average(rows: readonly UsageFineRow[], part: Part): number | null {
  const tokens = sum(rows, (row) => row[`${part}Tokens`]);
  const nanoUsd = sum(rows, (row) => row[`${part}NanoUsd`]);
  if (tokens === 0n) return null;
  const microUsdPerMillion = (nanoUsd * 1_000n + tokens / 2n) / tokens;
  return Number(microUsdPerMillion) / 1e6;
}

function sum(rows: readonly UsageFineRow[], of: (row: UsageFineRow) => string | number): bigint {
  return rows.reduce((all, row) => all + BigInt(of(row)), 0n);
}
