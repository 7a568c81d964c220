/** `GET /v1/context/{session}` as far as the terminal shows it. */
import type { CompactionRow, CompactionTotals } from './compaction-row.ts';

export interface ContextAnswer {
  readonly session: string;
  readonly project: string | null;
  readonly host: string | null;
  readonly startedAt: string;
  readonly lastSeenAt: string;
  readonly turns: number;
  readonly now: Now | null;
  readonly forecast: { readonly growthTokens: number | null; readonly turnsLeft: number | null };
  readonly points: readonly Point[];
  readonly composition: Composition;
  readonly largestResults: readonly LargestResult[];
  readonly cacheMisses: MissSums & {
    readonly byReason: readonly (MissSums & { readonly reason: string })[];
    readonly worst: readonly CacheMiss[];
  };
  readonly compactions: readonly CompactionRow[];
  readonly compactionTotals: CompactionTotals;
  readonly factsLeftOut: number;
}

interface Threshold {
  readonly windowTokens: number;
  readonly thresholdTokens: number | null;
  readonly source: 'host' | 'files' | 'default';
}

export interface Now {
  readonly kind: Point['kind'];
  readonly tokens: number | null;
  readonly heldTokens: number | null;
  readonly source: 'provider' | 'estimate' | 'unknown';
  readonly provider: string;
  readonly model: string;
  readonly threshold: Threshold | null;
  readonly untilThresholdTokens: number | null;
}

export interface Point {
  readonly kind: 'turn' | 'compaction' | 'branchSummary';
  readonly turn: number;
  readonly tokens: number | null;
  readonly cacheReadTokens: number | null;
  readonly cacheWriteTokens: number | null;
  readonly threshold: Threshold | null;
}

export interface Part {
  readonly kind: string;
  readonly name: string;
  readonly tokens: number;
}

interface Composition {
  /** The entry; null: none is recorded. */
  readonly at: string | null;
  readonly totalTokens: number;
  readonly source: 'provider' | 'estimate' | 'unknown';
  readonly parts: readonly Part[];
}

export interface LargestResult {
  readonly time: string;
  readonly toolName: string;
  readonly paths: readonly string[];
  readonly tokens: number;
  readonly isInContext: boolean;
}

interface MissSums {
  readonly count: number;
  readonly missedTokens: number;
  readonly costNanoUsd: string;
  readonly unpriced: number;
}

export interface CacheMiss {
  readonly time: string;
  readonly fromTokens: number;
  readonly toTokens: number;
  readonly missedTokens: number;
  readonly costNanoUsd: string | null;
  readonly reason: string;
}
