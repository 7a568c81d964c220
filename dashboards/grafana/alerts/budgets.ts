/** Alerts on budgets: `job="pi-ledger/agents"`. */
import { metrics } from '@pi-ledger/contract/telemetry/metrics';
import { prometheusLabel } from '@pi-ledger/contract/telemetry/prometheus-names';
import { seriesOf } from './query.ts';
import type { AlertRule } from './rule.ts';

const label = prometheusLabel('pi.budget.name');

/** When several instances tell of one budget, the highest counts. */
const highest = (series: string): string => `max by (${label}) (${series})`;

/** Percent used of those that are in this state: 1 warning, 2 over. */
function usedIn(state: 1 | 2): string {
  const used = `100 * ${highest(seriesOf(metrics.budgetUtilization))}`;
  return `${used} and on (${label}) ${highest(seriesOf(metrics.budgetState))} == ${state}`;
}

export const budgetAlerts: readonly AlertRule[] = [
  {
    name: 'BudgetNearsLimit',
    severity: 'info',
    expr: usedIn(1),
    forMinutes: 5,
    summary: `Budget {${label}} nears its limit: {value} % is used`,
    description:
      'It is at its warning. The page says under `/budgets` what is expected until its period ' +
      'ends, and `pi-ledger budgets` too.',
  },
  {
    name: 'BudgetOver',
    severity: 'warning',
    expr: usedIn(2),
    forMinutes: 5,
    summary: `Budget {${label}} is over: {value} % of its limit is used`,
    description:
      'What was meant for its period is spent; a hard budget asks before each prompt. The page ' +
      'says under `/budgets` how it came, `pi-ledger budgets crossings` since when. It ends with ' +
      'the period, or with another `limit` in config.json.',
  },
];
