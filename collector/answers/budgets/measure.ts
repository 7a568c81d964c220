/** How much of budgets is used, in the period that contains an instant. */
import type { BudgetPeriod, BudgetStateName } from '@pi-ledger/contract';
import { isOfWindow, isVerifiedOnly, type NamedBudget } from './definition.ts';
import { type CalendarPeriod, periodAt, periodText, zoneOf } from './periods.ts';
import {
  isPartOnly,
  readSpendRows,
  readVerifiedRows,
  type Spend,
  type SpendViews,
  spendOf,
} from './spend.ts';
import { stateOf } from './state.ts';

export interface Measured {
  readonly budget: NamedBudget;
  /** It is null when no window is known; `used` and `state` are null then, too. */
  readonly period: BudgetPeriod | null;
  /** Like `state`, it is null when the amount is not known. */
  readonly used: bigint | null;
  readonly state: BudgetStateName | null;
  readonly isAtLeast: boolean;
  readonly counts: Omit<Spend, 'used' | 'records'>;
  /** What reports count here, and no token says; null: all counts, or it is not known. */
  readonly unverified: Unverified | null;
}

type Unverified = Pick<Spend, 'used' | 'records'>;

/** Those of calendar periods; `atMs` may be another instant for each. */
export async function measureCalendar(
  asked: SpendViews,
  budgets: readonly NamedBudget[],
  atMs: (budget: NamedBudget) => number,
): Promise<readonly Measured[]> {
  const placed = budgets
    .filter(({ definition }) => !isOfWindow(definition))
    .map((budget) => ({ budget, ...placeOf(budget, atMs(budget)) }));
  const measured: Measured[] = [];
  for (const group of Map.groupBy(placed, ({ key }) => key).values()) {
    const [first] = group;
    if (first === undefined) continue;
    const members = group.map(({ budget }) => budget);
    const rows = await readSpendRows(asked, members, first.days);
    const ofTokens = members.filter(isVerifiedOnly);
    const verified =
      ofTokens.length === 0 ? null : await readVerifiedRows(asked, ofTokens, first.days);
    for (const { budget, period } of group) {
      const spend = spendOf(budget, rows);
      if (!isVerifiedOnly(budget)) measured.push(measuredOf(budget, period, spend));
      else if (verified === null) measured.push(unmeasured(budget, period));
      else {
        const counted = spendOf(budget, verified);
        measured.push(measuredOf(budget, period, counted, beyond(spend, counted)));
      }
    }
  }
  return measured;
}

function placeOf({ definition }: NamedBudget, atMs: number) {
  const zone = zoneOf(definition.timeZone);
  const period = periodAt(definition, zone, atMs);
  const { firstDay, lastDay } = period;
  const key = JSON.stringify([zone.name, firstDay, lastDay]);
  return { key, period, days: { zone, firstDay, lastDay } };
}

function measuredOf(
  budget: NamedBudget,
  period: CalendarPeriod,
  spend: Spend,
  unverified: Unverified | null = null,
): Measured {
  const { used, records: _, ...counts } = spend;
  const state = stateOf(budget.definition, used);
  const isAtLeast = isPartOnly(spend);
  return { budget, period: periodText(period), used, state, isAtLeast, counts, unverified };
}

/** The view of verified senders is being folded for the first time. */
function unmeasured(budget: NamedBudget, period: CalendarPeriod): Measured {
  return {
    ...{ budget, period: periodText(period), used: null, state: null, isAtLeast: false },
    ...{ counts: noCounts, unverified: null },
  };
}

export const noCounts: Measured['counts'] = {
  unpricedRecords: 0n,
  unreportedRecords: 0n,
  unknownBillingRecords: 0n,
};

/**
 * Never less than nothing: what came without a token may say that all of a session counts
 * elsewhere, and then some of what counts here is not in `all`.
 */
function beyond(all: Spend, counted: Spend): Unverified {
  const least = (amount: bigint): bigint => (amount > 0n ? amount : 0n);
  return {
    used: least(all.used - counted.used),
    records: least(all.records - counted.records),
  };
}
