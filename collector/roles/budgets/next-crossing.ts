/** The state machine of a budget in one period. Pure. */
import type { BudgetStateName } from '@pi-ledger/contract';

export interface KnownCrossing {
  readonly number: number;
  readonly to: BudgetStateName;
}

export interface NextCrossing {
  readonly number: number;
  readonly from: BudgetStateName;
  readonly to: BudgetStateName;
  /** A notice is due: there is one for each state and period. */
  readonly isFirst: boolean;
}

/** A budget that goes up and down more often than this in one period is not followed further. */
const crossingsMax = 1_000;

/**
 * What has to be said, when it is in this state now. Null: nothing changed. `known`: all crossings
 * of this version and period, by number.
 */
export function nextCrossing(
  known: readonly KnownCrossing[],
  to: BudgetStateName,
): NextCrossing | null {
  const last = known.at(-1);
  const from = last?.to ?? 'ok';
  const number = (last?.number ?? 0) + 1;
  if (from === to || number > crossingsMax) return null;
  const isFirst = to !== 'ok' && !known.some((crossing) => crossing.to === to);
  return { number, from, to, isFirst };
}
