/** Amounts as the agent shows them. */
import { billionths, dollarText, grouped, placesFor } from '../../contract/amounts.ts';
import { shareText } from '../../core/text/share-text.ts';

/** In `/ledger`: sessions often cost less than a cent. */
export function dollars(nanoUsd: bigint): string {
  return dollarText(nanoUsd, 4);
}

/** Formats what is used of a budget, or its limit. */
export function budgetAmount(unit: string, amount: string): string {
  if (unit === 'percent') return shareText(Number(amount) / 100);
  if (!unit.endsWith('dollars')) return grouped(amount);
  const nanoUsd = billionths(amount);
  return dollarText(nanoUsd, placesFor(nanoUsd));
}

export function entriesText(entries: number): string {
  return entries === 1 ? '1 entry' : `${grouped(entries)} entries`;
}
