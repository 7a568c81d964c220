/** A healthy ledger sends what the alerts ask for, and none of them has anything to say. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { healthMetrics } from '../../contract/telemetry/health-metrics.ts';
import { metrics } from '../../contract/telemetry/metrics.ts';
import { prometheusName } from '../../contract/telemetry/prometheus-names.ts';
import { alerts } from '../../dashboards/grafana/alerts/all.ts';
import { eventually } from '../support/eventually.ts';
import { type Chain, fillWithDemoMonth, startChain } from './support/chain.ts';
import { answer, attribution, post } from './support/events.ts';

const known = [...Object.values(metrics), ...Object.values(healthMetrics)].map(prometheusName);
const asked = new Set(
  alerts.flatMap(({ expr }) => known.filter((name) => new RegExp(`\\b${name}\\b`).test(expr))),
);
const monthly = { per: 'month', in: 'metered dollars' };
let chain: Chain;

beforeAll(async () => {
  chain = await startChain({
    settings: { import: false, budgets: [{ ...monthly, name: 'roomy', limit: 1e9 }] },
  });
  await fillWithDemoMonth(chain.ledger);
  await chain.ledger.start();
});
afterAll(async () => {
  await chain.close();
});

it('every metric that an alert asks for is in Prometheus', async () => {
  expect(asked.size).toBeGreaterThan(12);
  const { prometheus } = chain;
  for (const name of asked)
    await eventually(async () => expect(await prometheus.query(name), name).not.toEqual([]));
});

it.each(alerts)('$name does not fire', async ({ expr }) => {
  expect(await chain.prometheus.query(expr)).toEqual([]);
});

it('a rejected event is one, for the alert on them', async () => {
  const { status } = await fetch(`${chain.ledger.url}/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/cloudevents-batch+json' },
    body: JSON.stringify([{ not: 'an event' }]),
  });
  expect(status).toBe(200);
  const rejected = alerts.find(({ name }) => name === 'EventsRejected');
  await eventually(async () =>
    expect(await chain.prometheus.query(rejected?.expr ?? '')).toMatchObject([
      { labels: { job: 'pi-ledger/collector' }, value: '1' },
    ]),
  );
});

it('a budget that is over is one for the alert, and one that is gone ends', async () => {
  const { ledger, prometheus } = chain;
  await ledger.stop();
  const path = join(ledger.home, 'config.json');
  const settings: object = JSON.parse(readFileSync(path, 'utf8'));
  const budgets = [{ ...monthly, name: 'tight', limit: 2 }];
  writeFileSync(path, JSON.stringify({ ...settings, budgets }));
  await ledger.start();
  await post(ledger, attribution({ session: 'spends', project: 'shop' }));
  await post(ledger, answer({ session: 'spends', nanoUsd: 3_000_000_000 }));
  const over = alerts.find(({ name }) => name === 'BudgetOver');
  await eventually(async () => {
    const [first, ...others] = await prometheus.query(over?.expr ?? '');
    expect([first?.labels, others]).toEqual([{ pi_budget_name: 'tight' }, []]);
    expect(Number(first?.value)).toBeGreaterThanOrEqual(150);
    expect(await prometheus.query('pi_budget_state{pi_budget_name="roomy",job="page"}')).toEqual(
      [],
    );
  });
});
