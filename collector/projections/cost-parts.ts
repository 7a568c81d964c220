/**
 * A record's cost by kind of token, as its host says it (`rawUsage.cost`, in dollars), each part
 * rounded like the total. Pure.
 *
 * Guarantees: only a record with a price has parts. A part that is no amount counts nothing. What
 * the parts leave of the total, or exceed it by, is for whoever asks to name: a provider's own bill
 * may differ from what the host's list says.
 */
import type { Spend } from '@pi-ledger/contract';
import type { CostPartMeasure } from '@pi-ledger/contract/spend-shape';
import { toNanoUsd } from '@pi-ledger/core/spend/money';
import { isUnpriced } from '@pi-ledger/core/spend/price';

type CostParts = Readonly<Partial<Record<CostPartMeasure, number>>>;

/** Where the record's cost comes from; empty for one that was not reported. */
export function readCostSource(spend: Spend): string {
  if (!spend.reported) return '';
  return isUnpriced(spend) ? 'unpriced' : spend.costSource;
}

/** Empty where the host says none. */
export function readCostParts(spend: Spend): CostParts {
  const { cost } = spend.rawUsage;
  if (!spend.reported || isUnpriced(spend) || !isObject(cost)) return {};
  return {
    inputNanoUsd: readPart(cost.input),
    outputNanoUsd: readPart(cost.output),
    cacheReadNanoUsd: readPart(cost.cacheRead),
    cacheWriteNanoUsd: readPart(cost.cacheWrite),
  };
}

function readPart(usd: unknown): number {
  return typeof usd === 'number' ? (toNanoUsd(usd) ?? 0) : 0;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
