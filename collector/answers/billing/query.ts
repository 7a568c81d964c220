/** How each provider is paid: what was said of it, and what it spent of which nobody said it. */
import type { BillingList } from '@pi-ledger/contract/answers';
import type { Billing, FoldRules } from '../../projections/rules.ts';
import { isUnknownUsed } from '../spend/figures.ts';
import { sumUsage } from '../spend/sums.ts';
import { makeReport } from '../usage/report.ts';
import type { UsageViews } from '../views/usage-views.ts';

type Row = BillingList['rows'][number];

/** What an agent's credentials for a provider suggest. */
export type Suggestions = ReadonlyMap<string, Billing>;

/** Those with the most unknown spend first, then those with a rule alone, by name. */
export async function billingRows(
  asked: UsageViews,
  rules: FoldRules['billing'],
  suggestions: Suggestions,
): Promise<readonly Row[]> {
  const sums = await sumUsage(asked, ['provider', 'billing'], {}, []);
  const { rows } = await makeReport(['provider'], sums);
  const unknown = rows
    .filter(({ figures }) => isUnknownUsed(figures))
    .map(({ labels, figures: { byBilling, unknownBillingNanoUsd } }) => ({
      provider: labels.provider ?? null,
      unknownBillingNanoUsd,
      unpricedRecords: byBilling.unknown.unpricedRecords,
      unreportedRecords: byBilling.unknown.unreportedRecords,
    }))
    .toSorted((one, other) =>
      Number(BigInt(other.unknownBillingNanoUsd) - BigInt(one.unknownBillingNanoUsd)),
    );
  const settled = Object.keys(rules)
    .filter((name) => unknown.every(({ provider }) => provider !== name))
    .toSorted()
    .map((provider) => ({ provider, ...nothing }));
  return [...unknown, ...settled].map((row) => ({
    ...row,
    rule: ruleIn(rules, row.provider),
    suggested: suggestions.get(row.provider ?? '') ?? null,
  }));
}

const nothing = { unknownBillingNanoUsd: '0', unpricedRecords: 0, unreportedRecords: 0 };

function ruleIn(rules: FoldRules['billing'], provider: string | null): Billing | null {
  if (provider === null || !Object.hasOwn(rules, provider)) return null;
  return rules[provider] ?? null;
}

/** The providers that records are of, in order. */
export async function knownProviders(asked: UsageViews): Promise<readonly string[]> {
  const sums = await sumUsage(asked, ['provider'], {}, []);
  const names = new Set(sums.flatMap(({ dimensions }) => dimensions.provider || []));
  return [...names].sort();
}
