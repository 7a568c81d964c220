/** How much of budgets is used, in the period that contains an instant. */
import type { BudgetPeriod, BudgetStateName } from '@pi-ledger/contract';
import type { UsageViews } from '../usage-views.ts';
import { isOfWindow, type NamedBudget } from './definition.ts';
import { type CalendarPeriod, periodAt, periodText, zoneOf } from './periods.ts';
import { isPartOnly, readSpendRows, type Spend, spendOf } from './spend.ts';
import { stateOf } from './state.ts';

export interface Measured {
  readonly budget: NamedBudget;
  /** Null: no window is known; so are `used` and `state` then. */
  readonly period: BudgetPeriod | null;
  readonly used: bigint | null;
  readonly state: BudgetStateName | null;
  readonly isAtLeast: boolean;
  readonly counts: Omit<Spend, 'used'>;
}

/** Those of calendar periods; `atMs` may be another instant for each. */
export async function measureCalendar(
  asked: UsageViews,
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
    for (const { budget, period } of group)
      measured.push(measuredOf(budget, period, spendOf(budget, rows)));
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

function measuredOf(budget: NamedBudget, period: CalendarPeriod, spend: Spend): Measured {
  const { used, ...counts } = spend;
  const state = stateOf(budget.definition, used);
  return { budget, period: periodText(period), used, state, isAtLeast: isPartOnly(spend), counts };
}
