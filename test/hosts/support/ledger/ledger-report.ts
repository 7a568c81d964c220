/** What `pi-ledger report --json` and `GET /v1/usage` answer. */

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
  readonly by: Grouping;
  readonly rows: readonly (UsageFigures & { readonly [grouping in Grouping]?: string | null })[];
  readonly total: UsageFigures;
}

/**
 * Estimates of what unreported attempts may have cost: no session file says them, so that they are
 * compared with nothing here.
 */
const estimates = ['unreportedTokensMax', 'unreportedNanoUsdMax'];

/** Contract: throws on what is no JSON; believes the rest. */
export function parseReport(text: string): UsageReport {
  return JSON.parse(text, (key, value: unknown) =>
    estimates.includes(key) ? undefined : value,
  ) as UsageReport;
}
