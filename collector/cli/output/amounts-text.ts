/** Amounts in a sentence or a cell: each kind of billing on its own, with the mark of its own. */
import { dollarText, knownAmount, placesFor, type Without } from '@pi-ledger/contract/amounts';
import { type AmountName, amountNames, type Billing } from '@pi-ledger/contract/billings';

export const amounts = [
  { title: 'metered', field: amountNames.metered, billing: 'metered' },
  { title: 'subscription', field: amountNames.subscription, billing: 'subscription' },
  { title: 'billing unknown', field: amountNames.unknown, billing: 'unknown' },
] as const;
export type Amount = (typeof amounts)[number];

export type Billed = Readonly<Record<AmountName, bigint | string>> & {
  readonly byBilling: Readonly<Record<Billing, Without>>;
};

/**
 * Returns null if there is no amount. `isAtLeast`: as told, where others know more than the
 * counts.
 */
export function boundedText(
  nanoUsd: bigint,
  { isAtLeast, ...without }: Without & { readonly isAtLeast?: boolean },
  decimals: number,
): string | null {
  const known = knownAmount(nanoUsd, without);
  if (known.nanoUsd === null) return 'n/a';
  if (nanoUsd === 0n) return null;
  return `${(isAtLeast ?? known.isAtLeast) ? '≥ ' : ''}${dollarText(nanoUsd, decimals)}`;
}

/** `metered ≥ $1.23`, `subscription $4.89`; those without an amount are left out. */
export function amountTexts(found: Billed, decimals?: number): readonly string[] {
  return amounts.flatMap(({ title, field, billing }) => {
    const nanoUsd = BigInt(found[field]);
    const text = boundedText(nanoUsd, found.byBilling[billing], decimals ?? placesFor(nanoUsd));
    return text === null ? [] : [`${title} ${text}`];
  });
}
