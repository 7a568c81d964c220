/** What each prompt led to: its turns and calls, what they cost, and what the live host told. */
import type { TimelineItem } from '@pi-ledger/contract/answers';
import type { ContextMoment } from '../../projections/context/moment.ts';
import type { Item } from '../context/timeline-items.ts';
import { addSum, type BillingSums, costsOf } from '../spend/billing-sums.ts';
import { type Charges, costSourceOf } from '../spend/charges.ts';

export interface Runs {
  of(promptId: string): NonNullable<TimelineItem['run']>;
}

interface Sums {
  turns: number;
  toolCalls: number;
  failedTurns: number;
  unpriced: number;
  readonly costs: BillingSums;
}

export function createRuns(
  items: readonly Item[],
  moments: readonly ContextMoment[],
  chargeOf: Charges,
): Runs {
  const sums = new Map<string, Sums>();
  for (const item of items) {
    if (item.promptId === null) continue;
    const some = sums.get(item.promptId) ?? noSums();
    sums.set(item.promptId, some);
    addItem(some, item, chargeOf);
  }
  const told = new Map(
    moments.flatMap((each) => (each.kind === 'run' && each.id !== null ? [[each.id, each]] : [])),
  );
  return {
    of(promptId) {
      const { costs, ...counts } = sums.get(promptId) ?? noSums();
      const run = told.get(promptId);
      return {
        ...counts,
        outcome: run?.outcome ?? null,
        filesModified: run?.filesModified ?? null,
        durationMs: run?.durationMs ?? null,
        costs: costsOf(costs),
      };
    },
  };
}

function noSums(): Sums {
  return { turns: 0, toolCalls: 0, failedTurns: 0, unpriced: 0, costs: new Map() };
}

function addItem(sums: Sums, item: Item, chargeOf: Charges): void {
  const { kind, failed } = item;
  if (kind === 'tool') sums.toolCalls += 1;
  if (kind === 'turn') sums.turns += 1;
  if (kind === 'turn' && failed) sums.failedTurns += 1;
  if (costSourceOf(item) === 'unpriced') sums.unpriced += 1;
  const charge = chargeOf(item);
  if (charge !== null) addSum(sums.costs, charge.billing, charge.nanoUsd);
}
