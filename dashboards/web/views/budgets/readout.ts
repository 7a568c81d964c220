/** What the chart of a budget says in words at a step. Pure. */
import { type BudgetUnit, formatBillionths } from '../../format/budget.ts';

interface Said {
  readonly sums: readonly bigint[];
  readonly before: readonly bigint[];
  /** How many steps are over, with the part of the one that is not. */
  readonly over: number;
  readonly unit: BudgetUnit;
  /** `October` */
  readonly beforeWords: string;
}

/** `$9.10, $120.33 until then; October $118.02`; what is not over yet has no sum. */
export function ofSteps({ sums, before, over, unit, beforeWords }: Said) {
  return (index: number): string => {
    const sum = sums[index];
    const isBegun = index < over && sum !== undefined;
    const now = isBegun
      ? `${formatBillionths(sum - (sums[index - 1] ?? 0n), unit)}, ` +
        `${formatBillionths(sum, unit)} until then`
      : 'not yet';
    const then = before[index];
    return then === undefined ? now : `${now}; ${beforeWords} ${formatBillionths(then, unit)}`;
  };
}
