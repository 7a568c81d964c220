/** Alerts on what agents do: `job="pi-ledger/agents"`. */
import { metrics } from '@pi-ledger/contract/telemetry/metrics';
import { grownBy, seriesOf, sumBy } from './query.ts';
import type { AlertRule } from './rule.ts';

const byModel = ['gen_ai.provider.name', 'gen_ai.request.model'] as const;
const byProject = ['pi.project'] as const;
const metered = { 'pi.billing': 'metered' } as const;

const errors = grownBy(byModel, metrics.errors, '30m');
const records = grownBy(byModel, metrics.records, '30m');

/**
 * Metered cost of a project in the last day, and in the seven before. Differences of raw values
 * are exact, and cheaper than `increase` over a week. A project that is new cost nothing before.
 * Totals of which nobody knows what they were then have no answer: all that they hold would be new.
 */
const costs = seriesOf(metrics.cost, metered);
const spent = (offset: string): string => sumBy(byProject, `${costs}${offset}`, ['instance']);
const orNothing = (was: string, now: string): string => `(${was} or 0 * ${now})`;
const today = `(${spent('')} - ${orNothing(spent(' offset 1d'), spent(''))})`;
const weekBefore = orNothing(
  `(${spent(' offset 1d')} - ${orNothing(spent(' offset 8d'), spent(' offset 1d'))})`,
  spent(''),
);
const areKnown = `and on (instance) ${costs} offset 1d and on (instance) ${costs} offset 8d`;

export const agentAlerts: readonly AlertRule[] = [
  {
    name: 'ModelFails',
    severity: 'warning',
    expr: `${errors} > 0.2 * ${records} and ${errors} > 5`,
    forMinutes: 5,
    summary: '{gen_ai_request_model} of {gen_ai_provider_name} fails: {value} errors in 30 minutes',
    description:
      'More than a fifth of the calls failed. `pi-ledger models` says how; the dashboard Models ' +
      'and tools shows since when.',
  },
  {
    name: 'CompactionsFail',
    severity: 'warning',
    expr: `${grownBy(byProject, metrics.compactions, '1h', { 'pi.outcome': 'failed' })} > 2.5`,
    forMinutes: 5,
    summary: 'Compactions fail in {pi_project}: {value} in the last hour',
    description:
      'A session that cannot compact fills its window and stops. `pi-ledger compactions` names ' +
      'the sessions and the reasons.',
  },
  {
    name: 'CostJumps',
    severity: 'warning',
    expr: `${today} > 2 * ${weekBefore} / 7 and ${today} > 20 ${areKnown}`,
    forMinutes: 30,
    summary: 'Metered cost of {pi_project} jumps: {value} USD in 24 hours',
    description:
      'Twice the average day of the week before, and over $20; a new project had none. An ' +
      'import of old sessions counts when it arrives: `pi-ledger report --by day` says on which ' +
      'days it was spent.',
  },
  {
    name: 'SeriesHidden',
    severity: 'warning',
    expr: `${seriesOf(metrics.hiddenSeries)} > 0`,
    forMinutes: 15,
    summary: 'The limit of series hides {value} of them',
    description:
      'Their sums are in the series with `otel_metric_overflow`, so totals stay right. Rules for ' +
      '`projects` in config.json make fewer.',
  },
];
