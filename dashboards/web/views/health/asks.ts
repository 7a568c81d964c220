import { type Ask, ask } from '../../api/ask.ts';
import { standing } from '../../app/asks.ts';
import type { AsksOfView } from '../view.ts';

export const healthAsk = ask('/v1/health');
export const reconciledAsk = ask('/v1/reconciliation');
export const standingAsk = standing;
/** A row for each process; the newest. */
export const producersAsk = ask('/v1/producers', { limit: 1_000 });
/** The oldest. */
export const lettersAsk = ask('/v1/dead-letters', { limit: 100 });

export const healthAsks: AsksOfView = (): readonly Ask<unknown>[] => [
  healthAsk,
  reconciledAsk,
  standingAsk,
  producersAsk,
  lettersAsk,
];
