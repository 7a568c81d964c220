/**
 * The state of a budget in one period. Pure.
 *
 * A period begins with `ok`. `over` is the limit reached; `warning` is `warnAt` percent of it.
 * Spend may also move down (what is known late may move it elsewhere), and the state with it.
 */
import type { BudgetDefinition, BudgetStateName } from '@pi-ledger/contract';
import { limitOf } from './definition.ts';

export function stateOf(definition: BudgetDefinition, used: bigint): BudgetStateName {
  const limit = limitOf(definition);
  if (used >= limit) return 'over';
  return used * 100n >= limit * BigInt(definition.warnAt) ? 'warning' : 'ok';
}
