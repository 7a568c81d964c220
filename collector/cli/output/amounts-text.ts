/** Amounts in a sentence or a cell: each kind of billing on its own, with the mark of its own. */
import { decimalsFor, formatNanoUsd } from './format.ts';

export const amounts = [
  { title: 'metered', field: 'meteredNanoUsd', billing: 'metered' },
  { title: 'subscription', field: 'subscriptionNanoUsd', billing: 'subscription' },
  { title: 'billing unknown', field: 'unknownBillingNanoUsd', billing: 'unknown' },
] as const;
export type Amount = (typeof amounts)[number];
type Billing = Amount['billing'];

/** Records that are in no amount. */
export interface Without {
  readonly unpricedRecords: number;
  readonly unreportedRecords: number;
  /** Records of extensions, which tell their last answer only; absent where nobody counts them. */
  readonly lowerBoundRecords?: number;
}

export type Billed = Readonly<Record<Amount['field'], bigint | string>> & {
  readonly byBilling: Readonly<Record<Billing, Without>>;
};

interface Bound extends Without {
  /** By default, of records without a price, or with a lower bound. */
  readonly isAtLeast?: boolean;
}

/**
 * At least so much if records of this billing lack a price; n/a, never $0.00, if all do; null if
 * there is no amount.
 */
export function boundedText(
  nanoUsd: bigint,
  { unpricedRecords, unreportedRecords, lowerBoundRecords = 0, ...bound }: Bound,
  decimals: number,
): string | null {
  const { isAtLeast = unpricedRecords + lowerBoundRecords > 0 } = bound;
  if (nanoUsd !== 0n) return `${isAtLeast ? '≥ ' : ''}${formatNanoUsd(nanoUsd, decimals)}`;
  return unpricedRecords + unreportedRecords > 0 ? 'n/a' : null;
}

/** `metered ≥ $1.23`, `subscription $4.89`; those without an amount are left out. */
export function amountTexts(found: Billed, decimals?: number): readonly string[] {
  return amounts.flatMap(({ title, field, billing }) => {
    const nanoUsd = BigInt(found[field]);
    const text = boundedText(nanoUsd, found.byBilling[billing], decimals ?? decimalsFor(nanoUsd));
    return text === null ? [] : [`${title} ${text}`];
  });
}
