/** Rows of `GET /v1/compactions` as far as the terminal shows them, and how their figures are written. */
import { formatNanoUsd } from './format.ts';

export interface CompactionRow {
  readonly id: string;
  readonly kind: 'compaction' | 'branchSummary' | 'failure';
  readonly entryId: string | null;
  readonly session: string;
  readonly project: string | null;
  readonly user: string | null;
  readonly host: string | null;
  readonly time: string;
  readonly trigger: string | null;
  readonly by: 'host' | 'extension' | null;
  readonly method: string | null;
  readonly provider: string | null;
  readonly model: string | null;
  readonly tokensBefore: number | null;
  readonly tokensAfterEstimated: number | null;
  readonly tokensAfterMeasured: number | null;
  readonly savedTokens: number | null;
  readonly costNanoUsd: string | null;
  readonly costSource: 'host' | 'unreported' | null;
  readonly durationMs: number | null;
  readonly aborted: boolean | null;
  readonly willRetry: boolean | null;
  readonly instructionsChars: number | null;
  readonly summaryTokens: number | null;
  readonly cacheMissTokens: number | null;
  readonly regretReads: number | null;
  readonly regretTokens: number | null;
  readonly turnsAfter: number | null;
  readonly netNanoUsd: string | null;
}

export interface CompactionTotals {
  readonly compactions: number;
  readonly branchSummaries: number;
  readonly failures: number;
  readonly costNanoUsd: string;
  readonly unreportedCosts: number;
  readonly savedTokens: number;
  readonly regretReads: number;
  readonly regretTokens: number;
  readonly regrettedCompactions: number;
  readonly regretRate: number | null;
  readonly netNanoUsd: string;
  readonly unknownNets: number;
}

export const kindNames = { compaction: 'compaction', branchSummary: 'branch summary', failure: 'failed' } as const;

/** Summaries are cheap: four places, and more only for what would show as nothing. Null: n/a, never $0. */
export function amountText(nanoUsd: string | null): string {
  return nanoUsd === null ? 'n/a' : formatNanoUsd(BigInt(nanoUsd), 4);
}

/** `18.2 s`, `4:05 min`, `<0.1 s`. */
export function durationText(durationMs: number): string {
  if (durationMs < 50) return '<0.1 s';
  const seconds = durationMs / 1_000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')} min`;
}
