/**
 * What acts on budgets in this process, made when it is first needed: with the first session
 * without a person, and when a collector first says that there are budgets. Shared, because pi 0.73
 * evaluates the module anew for each session, and omp runs the factory again for each subagent.
 */
import { systemClock } from '../clock.ts';
import { isHeadless, type SessionState } from '../live/session-state.ts';
import { type Budgets, createBudgets } from './budgets/budgets.ts';
import type { HeadlessRuns } from './budgets/headless.ts';

interface Shared {
  [budgetsKey]?: Budgets;
  [headlessKey]?: HeadlessRuns;
}

const budgetsKey = Symbol.for('pi-ledger.budgets.v1');
const headlessKey = Symbol.for('pi-ledger.headless-runs.v1');
const shared = globalThis as Shared;

export function sharedBudgets(): Budgets {
  shared[budgetsKey] ??= createBudgets(systemClock.nowMs);
  return shared[budgetsKey];
}

/** Returns null if no budget was ever said to be there. */
export function knownBudgets(): Budgets | null {
  return shared[budgetsKey] ?? null;
}

/** Returns null if no session of this process was without a person. */
export function sharedHeadlessRuns(
  session: SessionState | undefined,
  make: () => HeadlessRuns,
): HeadlessRuns | null {
  if (session !== undefined && isHeadless(session)) shared[headlessKey] ??= make();
  return shared[headlessKey] ?? null;
}
