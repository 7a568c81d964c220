/** Which budget the chart is of. */
import type { Budget } from '@pi-ledger/contract/answers';
import { type Steps, stepsOf } from './steps.ts';

export interface Charted {
  readonly budget: Budget;
  readonly steps: Steps;
}

/**
 * The one that the URL names; else, of those with the longest period, the one of which most is
 * used. Null: none has a chart. What was spent with tokens alone is known of a period, not by day.
 */
export function chartedOf(rows: readonly Budget[], name: string | undefined): Charted | null {
  const all = rows
    .flatMap((budget) => {
      const steps = budget.verifiedOnly ? null : stepsOf(budget);
      return steps === null ? [] : [{ budget, steps }];
    })
    .toSorted(({ budget: one }, { budget: other }) => {
      const longer = daysIn(other) - daysIn(one);
      return longer === 0 ? (other.usedShare ?? 0) - (one.usedShare ?? 0) : longer;
    });
  return all.find(({ budget }) => budget.name === name) ?? all[0] ?? null;
}

/** Whole ones: clocks that change make no difference. */
function daysIn({ period }: Budget): number {
  const [start, end] = [Date.parse(period?.start ?? ''), Date.parse(period?.end ?? '')];
  return Math.round((end - start) / 86_400_000);
}
