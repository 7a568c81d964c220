/** Amounts by kind of billing, in 10^-9 USD; they are never added across kinds. */
import type { CostsByBilling } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';

export type BillingSums = Map<Billing, bigint>;

export function addSum(sums: BillingSums, billing: Billing, nanoUsd: bigint): void {
  sums.set(billing, (sums.get(billing) ?? 0n) + nanoUsd);
}

export function costsOf(sums: ReadonlyMap<Billing, bigint>): CostsByBilling {
  return Object.fromEntries([...sums].map(([billing, nanoUsd]) => [billing, String(nanoUsd)]));
}
