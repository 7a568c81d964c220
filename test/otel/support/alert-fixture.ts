/** Fixtures of alerts that are alike. */
import type { AlertFixture } from './fixture-series.ts';

export const collectorLabels = { job: 'pi-ledger/collector', instance: 'p' };
export const collector = 'job="pi-ledger/collector",instance="p"';

/** A gauge of the collector that stays at a value. */
export function gauge(
  name: string,
  labels: Readonly<Record<string, string>>,
  start: number,
  says: string,
): AlertFixture {
  const selected = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const series = `${name}{${[collector, ...selected].join(',')}}`;
  return {
    minutesASample: 1,
    series: [{ series, start, steps: [[30, 0]] }],
    says,
    of: { ...collectorLabels, ...labels },
  };
}

/** Two instances tell of it, as for some minutes after totals were folded anew. */
export function budgetAt(budget: string, state: number, share: number, says: string): AlertFixture {
  const labels = (instance: string) => `{pi_budget_name="${budget}",instance="${instance}"}`;
  return {
    minutesASample: 1,
    series: ['a/1', 'a/2'].flatMap((instance) => [
      { series: `pi_budget_state${labels(instance)}`, start: state, steps: [[30, 0]] },
      { series: `pi_budget_utilization_ratio${labels(instance)}`, start: share, steps: [[30, 0]] },
    ]),
    says,
    of: { pi_budget_name: budget },
  };
}
