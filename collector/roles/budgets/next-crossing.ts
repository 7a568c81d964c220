/** The state machine of a budget in one period. Pure. */
import type { BudgetCrossingState, BudgetStateName } from '@pi-ledger/contract';

export interface KnownCrossing {
  readonly number: number;
  readonly to: BudgetCrossingState;
  /** When it was said. */
  readonly at: string;
}

export interface NextCrossing {
  readonly number: number;
  readonly from: BudgetCrossingState;
  readonly to: BudgetCrossingState;
  /** A notice is due: there is one for each state and period, less what a withdrawal took back. */
  readonly isFirst: boolean;
}

/** A budget that goes up and down more often than this in one period is not followed further. */
const crossingsMax = 1_000;

/**
 * What has to be said, when it is in this state now. Null: nothing changed. `known`: all crossings
 * of this version and period, by number. `isForecast`: the limit is likely to be passed, which is
 * said while nothing else was, and not taken back. `withdrawnAt`: when spend was withdrawn.
 */
export function nextCrossing(
  known: readonly KnownCrossing[],
  state: BudgetStateName,
  isForecast = false,
  withdrawnAt: readonly string[] = [],
): NextCrossing | null {
  const last = known.at(-1);
  const from = last?.to ?? 'ok';
  const number = (last?.number ?? 0) + 1;
  const to = isForecast && isUnsaid(known) && state === 'ok' ? 'forecast' : state;
  const isSame = from === to || (from === 'forecast' && to === 'ok');
  if (isSame || number > crossingsMax) return null;
  const standing = afterWithdrawals(known, withdrawnAt);
  const isFirst = to !== 'ok' && !standing.some((crossing) => crossing.to === to);
  return { number, from, to, isFirst };
}

/** Nothing was said of this period. */
export function isUnsaid(known: readonly KnownCrossing[]): boolean {
  return known.length === 0;
}

/**
 * Those that still stand. What was said before a withdrawal brought the budget down rested on spend
 * that never was. A budget may still have gone up after the withdrawal, while views were folded
 * anew, so what counts is the first time that it went down since.
 */
function afterWithdrawals(
  known: readonly KnownCrossing[],
  withdrawnAt: readonly string[],
): readonly KnownCrossing[] {
  let first = 0;
  let downAt = '';
  for (const [index, { to, at }] of known.entries()) {
    if (rank[to] >= rank[known[index - 1]?.to ?? 'ok']) continue;
    if (withdrawnAt.some((time) => downAt < time && time <= at)) first = index + 1;
    downAt = at;
  }
  return known.slice(first);
}

const rank = { ok: 0, forecast: 0, warning: 1, over: 2 } as const;
