/**
 * What the points of a session's series cost, by kind of token, each kind of billing apart. Pure.
 *
 * Guarantees: exact, and equal to the sums of the points however they are grouped. A record without
 * a price is counted, never taken as zero.
 */
import type { ContextSeries } from '@pi-ledger/contract/answers';
import { type Billing, billings, readBilling } from '@pi-ledger/contract/billings';
import type { EntryFact } from '../../projections/context/facts.ts';
import { toMinute } from '../../projections/session/calendar.ts';
import type { SessionState } from '../../projections/session/document.ts';
import { labelsAt } from '../../projections/session/timeline-labels.ts';

export type CostByBilling = ContextSeries['byBilling'];

export interface CostSums {
  add(fact: EntryFact): void;
  result(): CostByBilling;
}

type Cost = NonNullable<CostByBilling[Billing]>;

const amounts = [
  'nanoUsd',
  'inputNanoUsd',
  'cacheReadNanoUsd',
  'cacheWriteNanoUsd',
  'outputNanoUsd',
  'summaryNanoUsd',
] as const;

interface Sums extends Record<(typeof amounts)[number], bigint> {
  unpricedRecords: number;
  unreportedRecords: number;
}

export function createCostSums({ timeline }: SessionState): CostSums {
  const sums = new Map<Billing, Sums>();
  const sumsOf = (billing: Billing): Sums => {
    const known = sums.get(billing) ?? noSums();
    sums.set(billing, known);
    return known;
  };
  return {
    add(fact) {
      const spend = spendOf(fact);
      if (spend === null) return;
      const { billing, isIgnored } = labelsAt(timeline, toMinute(fact.time), spend.provider);
      if (isIgnored) return;
      addTo(sumsOf(readBilling(billing)), fact, spend);
    },
    result: () => resultOf(sums),
  };
}

export function sumOfCosts(costs: readonly CostByBilling[]): CostByBilling {
  const sums = new Map<Billing, Sums>();
  for (const billing of billings) {
    const some = costs.flatMap((each) => each[billing] ?? []);
    if (some.length > 0) sums.set(billing, some.reduce(addCost, noSums()));
  }
  return resultOf(sums);
}

function addCost(sums: Sums, cost: Cost): Sums {
  for (const name of amounts) sums[name] += BigInt(cost[name]);
  sums.unpricedRecords += cost.unpricedRecords;
  sums.unreportedRecords += cost.unreportedRecords;
  return sums;
}

function resultOf(sums: ReadonlyMap<Billing, Sums>): CostByBilling {
  return Object.fromEntries([...sums].map(([billing, some]) => [billing, textOf(some)]));
}

interface Spent {
  readonly provider: string;
  readonly reported: boolean;
  readonly costNanoUsd: number | null;
}

/** Returns null for an entry that spends nothing, or does not say. */
function spendOf(fact: EntryFact): Spent | null {
  switch (fact.kind) {
    case 'turn':
      return fact;
    case 'compaction':
    case 'branchSummary':
      return fact.spend;
    default:
      return null;
  }
}

function addTo(sums: Sums, fact: EntryFact, { reported, costNanoUsd }: Spent): void {
  if (!reported) sums.unreportedRecords += 1;
  else if (costNanoUsd === null) sums.unpricedRecords += 1;
  if (costNanoUsd === null) return;
  sums.nanoUsd += BigInt(costNanoUsd);
  if (fact.kind !== 'turn') {
    sums.summaryNanoUsd += BigInt(costNanoUsd);
    return;
  }
  sums.inputNanoUsd += BigInt(fact.inputNanoUsd ?? 0);
  sums.cacheReadNanoUsd += BigInt(fact.cacheReadNanoUsd ?? 0);
  sums.cacheWriteNanoUsd += BigInt(fact.cacheWriteNanoUsd ?? 0);
  sums.outputNanoUsd += BigInt(fact.outputNanoUsd ?? 0);
}

function textOf(sums: Sums) {
  const { nanoUsd, inputNanoUsd, cacheReadNanoUsd, cacheWriteNanoUsd, outputNanoUsd } = sums;
  const { summaryNanoUsd, unpricedRecords, unreportedRecords } = sums;
  const parts = inputNanoUsd + cacheReadNanoUsd + cacheWriteNanoUsd + outputNanoUsd;
  return {
    nanoUsd: String(nanoUsd),
    inputNanoUsd: String(inputNanoUsd),
    cacheReadNanoUsd: String(cacheReadNanoUsd),
    cacheWriteNanoUsd: String(cacheWriteNanoUsd),
    outputNanoUsd: String(outputNanoUsd),
    otherNanoUsd: String(nanoUsd - summaryNanoUsd - parts),
    summaryNanoUsd: String(summaryNanoUsd),
    unpricedRecords,
    unreportedRecords,
  };
}

function noSums(): Sums {
  return {
    nanoUsd: 0n,
    inputNanoUsd: 0n,
    cacheReadNanoUsd: 0n,
    cacheWriteNanoUsd: 0n,
    outputNanoUsd: 0n,
    summaryNanoUsd: 0n,
    unpricedRecords: 0,
    unreportedRecords: 0,
  };
}
