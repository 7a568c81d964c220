import { healthMetrics } from '@pi-ledger/contract/telemetry/health-metrics';
import { type MetricDefinition, metrics } from '@pi-ledger/contract/telemetry/metrics';
import {
  prometheusFamily,
  prometheusLabel,
  prometheusName,
} from '@pi-ledger/contract/telemetry/prometheus-names';
import { expect, it } from 'vitest';

// Measured by OTLP through OpenTelemetry Collector 0.155, and straight into Prometheus 3.15.
it.each([
  [metrics.cost, 'pi_cost_usd_total'],
  [metrics.inputTokens, 'gen_ai_client_inference_usage_input_tokens_total'],
  [metrics.answerDuration, 'gen_ai_client_inference_duration_seconds'],
  [metrics.utilization, 'pi_context_utilization'],
  [metrics.utilizationMax, 'pi_context_utilization_max_ratio'],
  [metrics.compactions, 'pi_compaction_count_total'],
])('$name is $1 in Prometheus', (metric, name) => {
  expect(prometheusName(metric)).toBe(name);
});

it.each([
  [{ name: 'a.total', unit: '{x}', kind: 'counter' }, 'a_total'],
  [{ name: 'a.total.b', unit: 's', kind: 'counter' }, 'a_b_seconds_total'],
  [{ name: 'a.seconds', unit: 's', kind: 'histogram' }, 'a_seconds'],
  [{ name: 'a.ratio.b', unit: '1', kind: 'gauge' }, 'a_b_ratio'],
  [{ name: 'a..b-c', unit: '1', kind: 'counter' }, 'a_b_c_total'],
  [{ name: 'a', unit: 'By', kind: 'gauge' }, 'a_bytes'],
] as const)('no word of $0.name stands twice, and suffixes come last', (metric, name) => {
  expect(prometheusName(metric)).toBe(name);
});

it('the family of a counter has no suffix', () => {
  expect(prometheusFamily(metrics.cost)).toBe('pi_cost_usd');
});

it('a unit without a word is refused rather than named wrongly', () => {
  expect(() => prometheusName({ name: 'a', unit: 'furlong', kind: 'gauge' })).toThrow('furlong');
});

it('every metric has a name, and no two share one', () => {
  const all: readonly Pick<MetricDefinition, 'name' | 'unit' | 'kind'>[] = [
    ...Object.values(metrics),
    ...Object.values(healthMetrics),
  ];
  const names = all.flatMap((metric) => {
    const name = prometheusName(metric);
    return metric.kind === 'histogram'
      ? [`${name}_bucket`, `${name}_sum`, `${name}_count`]
      : [name];
  });
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^[a-z][a-z0-9_]*$/.test(name))).toEqual([]);
});

it.each([
  ['pi.billing', 'pi_billing'],
  ['gen_ai.request.model', 'gen_ai_request_model'],
  ['otel.metric.overflow', 'otel_metric_overflow'],
])('%s is the label %s', (attribute, label) => {
  expect(prometheusLabel(attribute)).toBe(label);
});
