/** Builds the API's answer about a session's context. Pure. */
import type { ContextWindow } from '@pi-ledger/contract/answers';
import { type Billing, readBilling } from '@pi-ledger/contract/billings';
import { toMinute } from '../../projections/session/calendar.ts';
import type { SessionState } from '../../projections/session/document.ts';
import { labelsAt } from '../../projections/session/timeline-labels.ts';
import { toCompactionRow } from '../compactions/audits/row.ts';
import { totalsOf } from '../compactions/audits/totals.ts';
import type { SessionContext } from '../contexts/session-context.ts';
import { addSum, type BillingSums, costsOf } from '../spend/billing-sums.ts';
import type { CacheMiss } from './cache-misses.ts';
import type { Composition } from './composition.ts';
import { downSample } from './down-sample.ts';
import { type EntryNode, pathTo } from './entry-tree.ts';
import { forecastOf } from './forecast.ts';
import type { Point } from './series.ts';

export interface ContextWish {
  readonly pointsMax: number;
  /** The entry to show the composition of; null: the newest. */
  readonly at: EntryNode | null;
}

/** How many of the largest results and of the worst cache misses are listed. */
const listedMax = 20;
/** Beyond it, the newest are listed. */
const compactionsMax = 500;

export function contextAnswer(
  context: SessionContext,
  state: SessionState,
  { pointsMax, at }: ContextWish,
): ContextWindow {
  const points = context.points();
  const misses = context.cacheMisses();
  const attribution = state.timeline.attributions.at(-1)?.facts;
  const compactions = context.audit().map((row) => toCompactionRow(row, state));
  return {
    session: state.id,
    project: attribution?.project.name || null,
    host: attribution?.host.name ?? null,
    startedAt: state.started?.at ?? state.firstSeenAt,
    lastSeenAt: state.lastSeenAt,
    turns: points.filter(({ kind }) => kind === 'turn').length,
    now: nowOf(points),
    forecast: forecastOf(onPathTo(context.tree.leaf, points)),
    points: downSample(points, pointsMax).map((point) => ({ ...point })),
    pointsInAll: points.length,
    composition: compositionOf(context, at ?? context.tree.leaf),
    largestResults: context
      .largestResults()
      .slice(0, listedMax)
      .map((result) => ({ ...result, paths: [...result.paths] })),
    cacheMisses: missesOf(misses, billingsOf(context, state)),
    compactions: compactions.slice(-compactionsMax),
    compactionTotals: totalsOf(compactions),
    factsLeftOut: context.facts.left,
  };
}

/** Points on the path to the leaf only: other branches grew separately. */
function onPathTo(leaf: EntryNode | null, points: readonly Point[]): readonly Point[] {
  const path = new Set(pathTo(leaf).map(({ fact }) => fact.id));
  return points.filter(({ entryId }) => path.has(entryId));
}

function nowOf(points: readonly Point[]): ContextWindow['now'] {
  const last = points.at(-1);
  if (last === undefined) return null;
  const {
    kind,
    time,
    tokens,
    heldTokens,
    source,
    provider,
    model,
    threshold,
    untilThresholdTokens,
  } = last;
  return {
    kind,
    time,
    tokens,
    heldTokens,
    source,
    provider,
    model,
    threshold,
    untilThresholdTokens,
  };
}

function compositionOf(
  context: SessionContext,
  node: EntryNode | null,
): ContextWindow['composition'] {
  const { totalTokens, source, estimatedTokens, parts }: Composition = context.compositionAt(node);
  return {
    at: node?.fact.id ?? null,
    time: node?.fact.time ?? null,
    totalTokens,
    source,
    estimatedTokens,
    parts: [...parts],
  };
}

function missesOf(
  misses: readonly CacheMiss[],
  billingOfMiss: BillingOf,
): ContextWindow['cacheMisses'] {
  const byReason = [...Map.groupBy(misses, ({ reason }) => reason)].map(([reason, some]) => ({
    reason,
    ...sumOf(some, billingOfMiss),
  }));
  return {
    ...sumOf(misses, billingOfMiss),
    byReason: byReason.sort((left, right) => right.missedTokens - left.missedTokens),
    worst: {
      metered: worstOf(misses, 'metered', billingOfMiss),
      subscription: worstOf(misses, 'subscription', billingOfMiss),
      unknown: worstOf(misses, 'unknown', billingOfMiss),
    },
  };
}

/** Picks the worst misses of one billing: by cost, then by tokens. */
function worstOf(misses: readonly CacheMiss[], billing: Billing, billingOfMiss: BillingOf) {
  return misses
    .filter((miss) => billingOfMiss(miss) === billing)
    .toSorted(
      (left, right) => costOf(right) - costOf(left) || right.missedTokens - left.missedTokens,
    )
    .slice(0, listedMax)
    .map((miss) => ({
      ...miss,
      costNanoUsd: miss.costNanoUsd === null ? null : String(miss.costNanoUsd),
    }));
}

type BillingOf = (miss: CacheMiss) => Billing;

/** How the answer that missed the cache was billed. */
function billingsOf({ tree }: SessionContext, { timeline }: SessionState): BillingOf {
  return ({ entryId, time }) => {
    const fact = tree.node(entryId)?.fact;
    const provider = fact?.kind === 'turn' ? fact.provider : '';
    return readBilling(labelsAt(timeline, toMinute(time), provider).billing);
  };
}

function sumOf(misses: readonly CacheMiss[], billingOfMiss: BillingOf) {
  const sums: BillingSums = new Map();
  for (const miss of misses)
    if (miss.costNanoUsd !== null) addSum(sums, billingOfMiss(miss), BigInt(miss.costNanoUsd));
  return {
    count: misses.length,
    missedTokens: misses.reduce((sum, { missedTokens }) => sum + missedTokens, 0),
    costs: costsOf(sums),
    unpriced: misses.filter(({ costNanoUsd }) => costNanoUsd === null).length,
  };
}

function costOf({ costNanoUsd }: CacheMiss): number {
  return costNanoUsd ?? 0;
}
