import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { healthMetrics } from '../../contract/telemetry/health-metrics.ts';
import { metrics } from '../../contract/telemetry/metrics.ts';
import { prometheusLabel, prometheusName } from '../../contract/telemetry/prometheus-names.ts';
import { alerts, madeAlertFiles } from '../../dashboards/grafana/alerts/all.ts';
import { read } from './compose-file.ts';

describe.each(madeAlertFiles())('$path', ({ path, text }) => {
  it('is what the list of alerts makes today (npm run dashboards writes it)', () => {
    const file = fileURLToPath(new URL(`../../${path}`, import.meta.url));
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('has nothing that Grafana takes for a variable of its environment', () => {
    expect(text).not.toContain('${');
  });
});

it('Grafana asks the provisioned Prometheus, and takes no answer for no problem', () => {
  const { groups } = parse(read('deploy/observability/grafana/alerting/pi-ledger.yaml'));
  const { datasources } = parse(read('deploy/observability/grafana/datasources/pi-ledger.yaml'));
  const { uid } = datasources.find(({ type }: { type: string }) => type === 'prometheus');
  expect(groups[0].rules).toHaveLength(alerts.length);
  for (const { condition, data, noDataState } of groups[0].rules) {
    expect(data[0].datasourceUid).toBe(uid);
    expect(data[1]).toMatchObject({
      refId: condition,
      datasourceUid: '__expr__',
      model: { expression: data[0].refId },
    });
    expect(noDataState).toBe('OK');
  }
});

const known = [...Object.values(metrics), ...Object.values(healthMetrics)];

describe.each(alerts)('the alert $name', ({ name, expr, summary }) => {
  const words = [...expr.matchAll(/\b(?:pi|gen_ai)_\w+/g)].map(([word]) => word);
  const asked = known.filter((metric) => words.includes(prometheusName(metric)));
  const labels = [
    ...asked.flatMap(({ attributes }) => attributes.map(prometheusLabel)),
    // Of every series: who tells it.
    'instance',
  ];

  it('asks by names that are sent, and adds up no billing kinds', () => {
    const names = asked.map((metric) => prometheusName(metric));
    expect([...names, ...labels]).toEqual(expect.arrayContaining(words));
    expect(names.length > 0 || name === 'OtelCollectorDown').toBe(true);
    expect(expr).not.toMatch(/service_name|otel_scope|\ble\b/);
    expect(expr).not.toMatch(/pi_cost_usd_total(?!\{pi_billing=")/);
  });

  it('speaks only of labels that its query keeps', () => {
    const named = [...summary.matchAll(/\{(\w+)\}/g)].map(([, label = '']) => label);
    const kept = expr.includes(' by (') ? labels.filter((label) => expr.includes(label)) : labels;
    expect(['value', ...kept]).toEqual(expect.arrayContaining(named));
  });
});
