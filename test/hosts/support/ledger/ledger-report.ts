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
/** The same figures once more, and their parts. */
const split = ['byBilling'];

/** Contract: throws if it is not JSON; trusts the rest. */
export function parseReport(text: string): UsageReport {
  return JSON.parse(text, (key, value: unknown) =>
    [...estimates, ...split].includes(key) ? undefined : value,
  ) as UsageReport;
}
