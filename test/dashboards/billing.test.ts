import { expect, it } from 'vitest';
import { billingIsApart } from './support/billing.ts';

it.each([
  'sum by (pi_billing) (increase(pi_cost_usd_total[1h]))',
  'sum(increase(pi_cost_usd_total{pi_project=~"a", pi_billing="metered"}[1h]))',
  'sum by (pi_project, pi_billing) (rate(pi_cost_usd_total{pi_host_name="pi"}[5m]))',
  'sum(increase(pi_usage_records_total[1h]))',
  'increase(pi_cost_usd_total[1h])',
])('apart: %s', (expr) => {
  expect(billingIsApart(expr)).toBe(true);
});

it.each([
  'sum(increase(pi_cost_usd_total[1h]))',
  'sum by (pi_project) (increase(pi_cost_usd_total[1h]))',
  'sum without (pi_billing) (pi_cost_usd_total)',
  'sum(sum by (pi_billing) (pi_cost_usd_total))',
  'sum(pi_cost_usd_total{pi_billing=~"metered|unknown"})',
  'sum(pi_cost_usd_total{pi_billing="metered"}) + sum(pi_cost_usd_total{pi_billing="unknown"})',
])('added up: %s', (expr) => {
  expect(billingIsApart(expr)).toBe(false);
});
