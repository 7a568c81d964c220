import { systemClock } from '../../clock.ts';
import type { Recording } from '../../producer.ts';
import { setExitCode, writeToTerminal } from '../../terminal.ts';
import { sharedBudgets } from '../shared-budgets.ts';
import { createHeadlessRuns, type HeadlessRuns } from './headless.ts';
import { overRunBudget } from './run-budget.ts';

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
