/**
 * The rollup `usage`: what was spent, by whom, on what, in which hour. The projection `sessions`
 * emits its rows, and moves them when it learns late whose session it is. One row per combination
 * of dimensions that occurs; unknown is the empty string.
 */
import type { EventData, Spend } from '@pi-ledger/contract';
import type { Amount } from './amount.ts';
import { costPartMeasures, costPartsOf, isUnpriced } from './cost-parts.ts';
import type { Rollup } from './projection.ts';

/** The measures of every record, in this order. */
export const recordMeasures = [
  /** Every usage-bearing entry, including unreported ones. */
  'records',
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  /** Part of outputTokens. */
  'reasoningTokens',
  /** The cost of records that have a price. */
  'nanoUsd',
  /** Reported, but without a price. */
  'unpricedRecords',
  /** Failed or aborted: all figures zero, the real spend unknown. */
  'unreportedRecords',
] as const;

/** What the rollup `usage` sums, in this order. */
export const usageMeasures = [
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

/**
 * For overviews: answers the most common questions from a few thousand rows instead of one for each
 * session, hour and model.
 */
const coarser: readonly Rollup[] = [
  rollup('usage_projects', ['project', 'provider', 'model', 'billing'], []),
  rollup(
    'usage_days',
    ['day', 'billing', 'host', 'provider', 'model', 'kind', 'costSource'],
    [['day']],
  ),
  rollup(
    'usage_answers',
    ['day', 'billing', 'agentKind', 'agent', 'thinking', 'stopReason'],
    [['day']],
  ),
  rollup(
    'usage_hours',
    ['hour', 'day', 'billing', 'host', 'provider', 'model', 'kind', 'costSource'],
    [['day']],
  ),
  rollup('usage_users', ['user', 'provider', 'model', 'billing'], []),
  rollup('usage_project_days', ['day', 'project', 'billing'], [['day'], ['project', 'day']]),
  rollup('usage_user_days', ['day', 'user', 'billing'], [['day'], ['user', 'day']]),
  rollup(
    'usage_sessions',
    [
      'day',
      'session',
      'project',
      'user',
      'host',
      'provider',
      'model',
      'kind',
      'billing',
      'costSource',
      'labels',
    ],
    [['day'], ['session'], ['project', 'day'], ['user', 'day']],
  ),
];

function rollup(name: string, dimensions: readonly string[], indexes: Rollup['indexes']): Rollup {
  return { name, dimensions, measures: usageMeasures, indexes };
}

export const usage: Rollup = {
  name: 'usage',
  dimensions: [
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
    /** Of answers: the thinking level. */
    'thinking',
    /** `provider`, `catalog`, `unpriced`; empty for what was not reported and for estimates. */
    'costSource',
    /** Of answers, as the host calls it. */
    'stopReason',
    /** JSON object with sorted keys. */
    'labels',
    /** The commit checked out. */
    'head',
  ],
  measures: usageMeasures,
  indexes: [['day'], ['project', 'day'], ['user', 'day'], ['session']],
  coarser,
};

/** Entries of type `custom` are extensions' own. */
const lowerBoundKind = 'custom';

/** One record's measures; it has no estimates. */
export function measuresOf(spend: Spend, kind: string): Amount[] {
  const unpriced = isUnpriced(spend);
  return [
    1,
    spend.inputTokens,
    spend.outputTokens,
    spend.cacheReadTokens,
    spend.cacheWriteTokens,
    spend.reasoningTokens ?? 0,
    unpriced ? 0 : (spend.costNanoUsd ?? 0),
    unpriced ? 1 : 0,
    spend.reported ? 0 : 1,
    0,
    0,
    ...costPartsOf(spend),
    0,
    0,
    kind === lowerBoundKind ? 1 : 0,
  ];
}

/** What no entry tells of: each is a record of unknown cost. */
export function unwrittenMeasuresOf(
  name: 'packageRequests' | 'streamedAnswers',
  count: number,
): Amount[] {
  const counted: readonly string[] = ['records', 'unreportedRecords', name];
  return usageMeasures.map((measure) => (counted.includes(measure) ? count : 0));
}

/** The measures of an upper estimate for a record that already counts. */
export function estimateMeasuresOf({
  tokensMax,
  costNanoUsdMax,
}: EventData<'pi.attempt.estimated.v1'>): Amount[] {
  return usageMeasures.map((name) => {
    if (name === 'unreportedTokensMax') return tokensMax;
    return name === 'unreportedNanoUsdMax' ? (costNanoUsdMax ?? 0) : 0;
  });
}
