/**
 * The rollup `usage`: what was spent, by whom, on what, in which hour. The projection `sessions`
 * emits its rows, and moves them when it learns late whose session it is. One row per combination
 * of dimensions that occurs; unknown is the empty string.
 */
import type { EventData, Spend } from '@pi-ledger/contract';
import {
  type SpendDimension,
  spendDimensions,
  spendMeasures,
  tokenCounts,
} from '@pi-ledger/contract/spend-shape';
import { isUnpriced, readPrice } from '@pi-ledger/core/spend/price';
import type { Amount } from './amount.ts';
import { readCostParts } from './cost-parts.ts';
import type { Rollup } from './projection.ts';
import { toAmounts } from './spend-amounts.ts';

/** Sums of spend under some of its dimensions. */
type SpendRollup = Rollup<SpendDimension>;

/**
 * For overviews: answers the most common questions from a few thousand rows instead of one for each
 * session, hour and model.
 */
const coarser: readonly SpendRollup[] = [
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

function rollup(
  name: string,
  dimensions: readonly SpendDimension[],
  indexes: SpendRollup['indexes'],
): SpendRollup {
  return { name, dimensions, measures: spendMeasures, indexes };
}

export const usage: SpendRollup = {
  name: 'usage',
  dimensions: spendDimensions,
  measures: spendMeasures,
  indexes: [['day'], ['project', 'day'], ['user', 'day'], ['session']],
  coarser,
};

/** Entries of type `custom` are extensions' own. */
const lowerBoundKind = 'custom';

/** One record's measures; it has no estimates. */
export function measuresOf(spend: Spend, kind: string): Amount[] {
  return toAmounts({
    records: 1,
    ...tokenCounts(spend),
    reasoningTokens: spend.reasoningTokens ?? 0,
    nanoUsd: readPrice(spend) ?? 0,
    unpricedRecords: isUnpriced(spend) ? 1 : 0,
    unreportedRecords: spend.reported ? 0 : 1,
    ...readCostParts(spend),
    lowerBoundRecords: kind === lowerBoundKind ? 1 : 0,
  });
}

/** What no entry tells of: each is a record of unknown cost. */
export function unwrittenMeasures(
  name: 'packageRequests' | 'streamedAnswers',
  count: number,
): Amount[] {
  return toAmounts({ records: count, unreportedRecords: count, [name]: count });
}

/** The measures of an upper estimate for a record that already counts. */
export function estimateMeasures({
  tokensMax,
  costNanoUsdMax,
}: EventData<'pi.attempt.estimated.v1'>): Amount[] {
  return toAmounts({
    unreportedTokensMax: tokensMax,
    unreportedNanoUsdMax: costNanoUsdMax ?? 0,
  });
}
