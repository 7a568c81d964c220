/**
 * The names that the contract says a metric has in Prometheus are those that it gets on the way
 * there, through a real OpenTelemetry Collector.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MetricDefinition, metrics } from '../../contract/telemetry/metrics.ts';
import { prometheusLabel, prometheusName } from '../../contract/telemetry/prometheus-names.ts';
import { type Otelcol, startOtelcol } from '../services/otelcol/otelcol.ts';
import { type Prometheus, startPrometheus } from '../services/prometheus/prometheus.ts';
import { eventually } from '../support/eventually.ts';
import { onePointOfEach } from './support/otlp-json.ts';

const all: readonly MetricDefinition[] = Object.values(metrics);
let directory: string;
let otelcol: Otelcol;
let prometheus: Prometheus;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'pi-ledger-otel-'));
  otelcol = await startOtelcol(join(directory, 'otelcol'));
  const body = JSON.stringify(onePointOfEach(all, { instance: 'store-1' }));
  const headers = { 'content-type': 'application/json' };
  const { status } = await fetch(`${otelcol.httpUrl}/v1/metrics`, {
    method: 'POST',
    headers,
    body,
  });
  expect(status).toBe(200);
  prometheus = await startPrometheus(join(directory, 'prometheus'), {
    targets: [{ job: 'otelcol', address: otelcol.metricsAddress }],
  });
  await eventually(async () =>
    expect(await prometheus.query('{__name__!="",job="pi-ledger/agents"}')).not.toEqual([]),
  );
});

afterAll(async () => {
  await prometheus.stop();
  await otelcol.stop();
  rmSync(directory, { recursive: true, force: true });
});

test('no other names arrive', async () => {
  const names = await prometheus.query('count by (__name__) ({job="pi-ledger/agents"})');
  const expected = all.flatMap((metric) => namesOf(metric));
  const arrived = names
    .map(({ labels }) => labels.__name__)
    .filter((name) => name !== 'target_info');
  expect(arrived.sort()).toEqual(expected.sort());
});

test.each(all)('$name has the labels of its attributes', async (metric) => {
  const [name = ''] = namesOf(metric);
  const [sample] = await prometheus.query(name);
  const labels = Object.keys(sample?.labels ?? {}).filter((label) => !isOfThePath(label));
  expect(labels.sort()).toEqual(metric.attributes.map(prometheusLabel).sort());
  expect(sample?.labels).toMatchObject({ job: 'pi-ledger/agents', instance: 'store-1' });
});

function namesOf(metric: MetricDefinition): readonly string[] {
  const name = prometheusName(metric);
  return metric.kind === 'histogram'
    ? ['_bucket', '_sum', '_count'].map((suffix) => name + suffix)
    : [name];
}

/** What differs by the way that a metric takes, and what every series has. */
function isOfThePath(label: string): boolean {
  return ['__name__', 'job', 'instance', 'le'].includes(label) || label.startsWith('otel_scope_');
}
