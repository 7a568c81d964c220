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
