/**
 * The shape of spend: what it is counted under, and what is counted, by name. Events, projections,
 * stores, queries, answers and exports take their lists from here; whoever needs an order takes it
 * from these lists, and nobody writes a position. Without a library, for the page as well.
 */

export const tokenMeasures = [
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
] as const;
export type TokenMeasure = (typeof tokenMeasures)[number];
/** The four kinds of tokens, of which none is part of another. */
export type TokenCounts<Count = number> = Readonly<Record<TokenMeasure, Count>>;

/** What the host's own price is made of, by kind of token. */
export const costPartMeasures = [
  'inputNanoUsd',
  'outputNanoUsd',
  'cacheReadNanoUsd',
  'cacheWriteNanoUsd',
] as const;
export type CostPartMeasure = (typeof costPartMeasures)[number];

/** Every record has these. */
export const recordMeasures = [
  /** Every usage-bearing entry, including unreported ones. */
  'records',
  ...tokenMeasures,
  /** Part of outputTokens. */
  'reasoningTokens',
  /** The cost of records that have a price. */
  'nanoUsd',
  /** Reported, but without a price. */
  'unpricedRecords',
  /** Failed or aborted: all figures zero, the real spend unknown. */
  'unreportedRecords',
] as const;
export type RecordMeasure = (typeof recordMeasures)[number];

/** Stored documents have them in this order: a new one comes last. */
export const spendMeasures = [
  ...recordMeasures,
  /** Upper estimates for unreported records, included in no other measure. */
  'unreportedTokensMax',
  'unreportedNanoUsdMax',
  /** The host's own parts of `nanoUsd`, as far as it says them. */
  ...costPartMeasures,
  /** Part of `unreportedRecords`: answered requests that no entry explains. */
  'packageRequests',
  /** Part of `unreportedRecords`: answers that only event streams of hosts tell of. */
  'streamedAnswers',
  /** What extensions say of their last answer alone: at least so much was spent. */
  'lowerBoundRecords',
] as const;
export type SpendMeasure = (typeof spendMeasures)[number];

/** An unknown one is the empty text. */
export const spendDimensions = [
  /** `2026-11-22T01`, UTC. */
  'hour',
  /** `2026-11-22`, the spender's local day. */
  'day',
  'session',
  'project',
  'branch',
  'user',
  'machine',
  /** `pi` or `omp`. */
  'host',
  'provider',
  /** The requested model. */
  'model',
  /**
   * `turn`, `tool`, `compaction`, `branch_summary`, `cache_warm`, `side_call`, the unknown entry
   * type's own name, or `package_request` and `streamed_answer`, which no entry tells of.
   */
  'kind',
  /** `metered`, `subscription`, `unknown`. */
  'billing',
  /** `main` or `subagent`. */
  'agentKind',
  /** The agent's name. */
  'agent',
  /** Only answers have a thinking level. */
  'thinking',
  /** `provider`, `catalog`, `unpriced`; empty for what was not reported and for estimates. */
  'costSource',
  /** Only answers have one, in the host's words. */
  'stopReason',
  /** JSON object with sorted keys. */
  'labels',
  /** The commit checked out. */
  'head',
] as const;
export type SpendDimension = (typeof spendDimensions)[number];
/** Everything that a record's spend is counted under. */
export type SpendKey = Readonly<Record<SpendDimension, string>>;

/** The four counts of something that has more than these. */
export function tokenCounts<Count>({
  inputTokens,
  outputTokens,
  cacheReadTokens,
  cacheWriteTokens,
}: TokenCounts<Count>): TokenCounts<Count> {
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens };
}

/** What was sent: new input, and what was read from the cache or written to it. */
export function sentTokens(counts: Omit<TokenCounts, 'outputTokens'>): number {
  return counts.inputTokens + counts.cacheReadTokens + counts.cacheWriteTokens;
}

export function allTokens(counts: TokenCounts): number {
  return sentTokens(counts) + counts.outputTokens;
}
