/** The state machine of a budget in one period. Pure. */
import type { BudgetCrossingState, BudgetStateName } from '@pi-ledger/contract';

export interface KnownCrossing {
  readonly number: number;
  readonly to: BudgetCrossingState;
}

export interface NextCrossing {
  readonly number: number;
  readonly from: BudgetCrossingState;
  readonly to: BudgetCrossingState;
  /** A notice is due: there is one for each state and period. */
  readonly isFirst: boolean;
}

/** A budget that goes up and down more often than this in one period is not followed further. */
const crossingsMax = 1_000;

/**
 * What has to be said, when it is in this state now. Null: nothing changed. `known`: all crossings
 * of this version and period, by number. `isForecast`: the limit is likely to be passed, which is
 * said while nothing else was, and not taken back.
 */
export function nextCrossing(
  known: readonly KnownCrossing[],
  state: BudgetStateName,
  isForecast = false,
): NextCrossing | null {
  const last = known.at(-1);
  const from = last?.to ?? 'ok';
  const number = (last?.number ?? 0) + 1;
  const to = isForecast && isUnsaid(known) && state === 'ok' ? 'forecast' : state;
  const isSame = from === to || (from === 'forecast' && to === 'ok');
  if (isSame || number > crossingsMax) return null;
  const isFirst = to !== 'ok' && !known.some((crossing) => crossing.to === to);
  return { number, from, to, isFirst };
}

/** Nothing was said of this period. */
export function isUnsaid(known: readonly KnownCrossing[]): boolean {
  return known.length === 0;
}
