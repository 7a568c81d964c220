/** How a record is billed: the one place that decides it. Pure. */
import type { Billing } from '@pi-ledger/contract/billings';

/** What an attribution says of providers. */
interface Attributed {
  readonly facts: { readonly billing: Readonly<Record<string, Billing>> };
}

/**
 * What is said of the provider by the attribution that the record takes (`index`); else by the next
 * one that says something, then by the newest before it; then by the user's rules.
 */
export function decideBilling(
  attributions: readonly Attributed[],
  index: number,
  provider: string,
  rules: Pick<ReadonlyMap<string, Billing>, 'get'>,
): Billing {
  const knows = ({ facts }: Attributed): boolean => Object.hasOwn(facts.billing, provider);
  const knowing = attributions.slice(index).find(knows) ?? attributions.findLast(knows);
  return knowing?.facts.billing[provider] ?? rules.get(provider) ?? 'unknown';
}
