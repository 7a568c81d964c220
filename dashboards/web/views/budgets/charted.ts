/** Which budget the chart is of. */
import type { Budget } from '@pi-ledger/contract/answers';
import { type Steps, stepsOf } from './steps.ts';

export interface Charted {
  readonly budget: Budget;
  readonly steps: Steps;
}

const longest = ['month', 'week', 'day'];

/**
 * The one that the URL names; else, of those with the longest period, the one of which most is
 * used. Null: none has a chart.
 */
export function chartedOf(rows: readonly Budget[], name: string | undefined): Charted | null {
  const all = rows
    .flatMap((budget) => {
      const steps = stepsOf(budget);
      return steps === null ? [] : [{ budget, steps }];
    })
    .toSorted(({ budget: one }, { budget: other }) => {
      const rank = longest.indexOf(one.per) - longest.indexOf(other.per);
      return rank === 0 ? (other.usedShare ?? 0) - (one.usedShare ?? 0) : rank;
    });
  return all.find(({ budget }) => budget.name === name) ?? all[0] ?? null;
}
