import { grouped } from '../../../contract/amounts.ts';
import { billings } from '../../../contract/answers/billings.ts';
import type { Allowance } from '../../../contract/settings/setting.ts';
import { systemClock } from '../../clock.ts';
import type { SessionState } from '../../live/session-state.ts';
import type { BilledTotals, SessionTotals } from '../../live/totals.ts';
import type { Recording } from '../../producer.ts';
import { setExitCode, writeToTerminal } from '../../terminal.ts';
import { dollars } from '../amounts.ts';
import { sharedBudgets } from '../shared-budgets.ts';
import { createHeadlessRuns, type HeadlessRuns } from './headless.ts';

/** Ends this process' runs without a person: asks its collector, and counts what it recorded. */
export function watchRuns({
  collector,
  config: { runBudget, stopsRuns },
  recorder,
  notices,
}: Recording): HeadlessRuns {
  return createHeadlessRuns({
    budgets: sharedBudgets(),
    clock: systemClock,
    stopsRuns,
    runOver: () => (runBudget === null ? null : overRunBudget(runBudget, recorder.sessions())),
    async ask(sessionId) {
      const { askOverview, tellLeftOut } = await import('../asking/overview.ts');
      const answer = await askOverview(collector, sessionId, systemClock.nowMs());
      tellLeftOut(answer, notices);
      return answer;
    },
    writeLine: writeToTerminal,
    setExitCode,
  });
}

// What one run without a person may spend (`runBudget`), by what this process itself recorded.

type Run = readonly Pick<SessionState, 'totals'>[];

/**
 * `This run has spent $5.0210 of $5.0000.`, once it has; null before. `run`: all sessions of this
 * process, omp's subagents among them.
 */
export function overRunBudget({ unit, amount }: Allowance, run: Run): string | null {
  const used = run.reduce((sum, { totals }) => sum + usedIn(unit, totals), 0n);
  if (used < amount) return null;
  const mark = run.some(({ totals }) => leavesOut(unit, totals)) ? '≥ ' : '';
  if (unit === 'tokens')
    return `This run has used ${mark}${grouped(used)} of ${grouped(amount)} tokens.`;
  const price = unit === 'list-price dollars' ? ' at list price' : '';
  return `This run has spent ${mark}${dollars(used)} of ${dollars(amount)}${price}.`;
}

/** Nano-dollars or tokens, as budgets count them. */
function usedIn(unit: Allowance['unit'], totals: SessionTotals): bigint {
  if (unit === 'metered dollars') return totals.spent.metered.nanoUsd;
  if (unit === 'list-price dollars') return totals.spent.subscription.nanoUsd;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = totals;
  return BigInt(inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens);
}

/** More is used than it says: no price, no report, or nobody knows how it is paid. */
function leavesOut(unit: Allowance['unit'], { spent }: SessionTotals): boolean {
  if (unit === 'tokens') return billings.some((billing) => spent[billing].unreportedRecords > 0);
  const own = spent[unit === 'metered dollars' ? 'metered' : 'subscription'];
  return hasGaps(own) || spent.unknown.records > 0;
}

function hasGaps({ unpricedRecords, unreportedRecords }: BilledTotals): boolean {
  return unpricedRecords + unreportedRecords > 0;
}
