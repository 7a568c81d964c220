/**
 * A record's cost by kind of token, as its host says it (`rawUsage.cost`, in dollars), each part
 * rounded like the total. Pure.
 *
 * Guarantees: only a record with a price has parts. A part that is no amount counts nothing. What
 * the parts leave of the total, or exceed it by, is for whoever asks to name: a provider's own bill
 * may differ from what the host's list says.
 */
import type { Spend } from '@pi-ledger/contract';
import { nanoUsdOf } from '../../extension/record/money.ts';

export const costPartMeasures = [
  'inputNanoUsd',
  'outputNanoUsd',
  'cacheReadNanoUsd',
  'cacheWriteNanoUsd',
] as const;

const hostNames = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;
const noParts: readonly number[] = hostNames.map(() => 0);

/** Reported, but without a price. */
export function isUnpriced({ reported, costSource, costNanoUsd }: Spend): boolean {
  return reported && (costSource === 'unpriced' || costNanoUsd === null);
}

/** Where the record's cost comes from; empty for one that was not reported. */
export function costSourceOf(spend: Spend): string {
  if (!spend.reported) return '';
  return isUnpriced(spend) ? 'unpriced' : spend.costSource;
}

/** In the order of the measures. */
export function costPartsOf(spend: Spend): readonly number[] {
  const { cost } = spend.rawUsage;
  if (!spend.reported || isUnpriced(spend) || !isObject(cost)) return noParts;
  return hostNames.map((name) => {
    const usd = cost[name];
    return typeof usd === 'number' ? (nanoUsdOf(usd) ?? 0) : 0;
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
