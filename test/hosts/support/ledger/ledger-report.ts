/** The output of `pi-ledger report --json` and `GET /v1/usage`. */

export interface UsageFigures {
  readonly records: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly reasoningTokens: number;
  readonly meteredNanoUsd: string;
  readonly subscriptionNanoUsd: string;
  readonly unknownBillingNanoUsd: string;
  readonly unpricedRecords: number;
  readonly unreportedRecords: number;
  /** By kind of token, as the hosts split it; whatever the billing, of which sandboxes have one. */
  readonly byBilling: CostParts;
}

interface CostParts {
  readonly inputNanoUsd: string;
  readonly outputNanoUsd: string;
  readonly cacheReadNanoUsd: string;
  readonly cacheWriteNanoUsd: string;
}

export type Grouping = 'project' | 'model' | 'session' | 'kind' | 'day';

export interface UsageReport {
  readonly by: readonly [Grouping];
  readonly rows: readonly (UsageFigures & { readonly [grouping in Grouping]?: string | null })[];
  readonly total: UsageFigures;
}

/**
 * Estimates for unreported attempts: session files do not contain them, so they are not compared
 * here.
 */
const estimates = ['unreportedTokensMax', 'unreportedNanoUsdMax'];
/** What would have been without a cache, when a row last had spend, and what no file has. */
const derived = ['cache', 'lastDay', 'packageRequests', 'streamedAnswers'];

/** Contract: throws if it is not JSON; trusts the rest. */
export function parseReport(text: string): UsageReport {
  return JSON.parse(text, (key, value: unknown) => {
    if (key === 'byBilling') return partsOf(Object.values(value as Record<string, CostParts>));
    return [...estimates, ...derived].includes(key) ? undefined : value;
  }) as UsageReport;
}

function partsOf(each: readonly CostParts[]): CostParts {
  const sum = (name: keyof CostParts) =>
    String(each.reduce((total, parts) => total + BigInt(parts[name]), 0n));
  return {
    inputNanoUsd: sum('inputNanoUsd'),
    outputNanoUsd: sum('outputNanoUsd'),
    cacheReadNanoUsd: sum('cacheReadNanoUsd'),
    cacheWriteNanoUsd: sum('cacheWriteNanoUsd'),
  };
}
