/**
 * What docker-compose.yml mounts into the servers of the profile `observability`, given to real
 * ones: they take it, and what is sent to the collector is where Grafana looks for it. Tempo and
 * Loki are played by a second collector; their own files are not tested, nor is Grafana.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { freePort } from '../hosts/support/machine/ports.ts';
import { otelPrograms } from '../services/otelcol/otel-programs.ts';
import { type Otelcol, startOtelcol } from '../services/otelcol/otelcol.ts';
import { ownedCommand } from '../services/owned-command.ts';
import { type Prometheus, promtool, startPrometheus } from '../services/prometheus/prometheus.ts';
import { createServerProcess, type ServerProcess } from '../services/server-process.ts';
import { eventually } from '../support/eventually.ts';

const deploy = fileURLToPath(new URL('../../deploy/observability/', import.meta.url));
const nowNs = `${Date.now()}000000`;
const resource = {
  attributes: [
    { key: 'service.namespace', value: { stringValue: 'pi-ledger' } },
    { key: 'service.name', value: { stringValue: 'agents' } },
    { key: 'service.instance.id', value: { stringValue: 'store-1/1' } },
  ],
};

let directory: string;
let tempoAndLoki: Otelcol;
let collector: ServerProcess;
let collectorUrl: string;
let scraped: Readonly<Record<string, string>>;
let prometheus: Prometheus;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'pi-ledger-profile-'));
  tempoAndLoki = await startOtelcol(join(directory, 'stores'));
  const own = await startProfileCollector();
  collector = own.process;
  collectorUrl = own.url;
  scraped = own.scraped;
  prometheus = await startPrometheus(join(directory, 'prometheus'), { targets: targets() });
});

afterAll(async () => {
  await prometheus.stop();
  await collector.end('SIGTERM');
  await tempoAndLoki.stop();
  rmSync(directory, { recursive: true, force: true });
});

test('Prometheus takes its file, and keeps the labels that the ledger gives', async () => {
  await expect(promtool('check', 'config', `${deploy}prometheus.yml`)).resolves.toContain('valid');
  const { scrape_configs: configs } = parse(readFileSync(`${deploy}prometheus.yml`, 'utf8'));
  expect(configs[0]).toMatchObject({ job_name: 'pi-ledger', honor_labels: true });
});

test('a counter is in Prometheus under the name and labels that dashboards ask for', async () => {
  const point = {
    attributes: [{ key: 'pi.billing', value: { stringValue: 'metered' } }],
    ...{ startTimeUnixNano: nowNs, timeUnixNano: nowNs, asDouble: 1.25 },
  };
  const sum = { aggregationTemporality: 2, isMonotonic: true, dataPoints: [point] };
  const metrics = [{ name: 'pi.cost.usd', unit: '{USD}', sum }];
  await send('metrics', { resourceMetrics: [{ resource, scopeMetrics: [{ metrics }] }] });
  await expect.poll(() => prometheus.query('pi_cost_usd_total')).toHaveLength(1);
  const [sample] = await prometheus.query('pi_cost_usd_total');
  expect(sample).toMatchObject({
    labels: { pi_billing: 'metered', job: 'pi-ledger/agents', instance: 'store-1/1' },
    value: '1.25',
  });
});

test("traces go to Tempo, logs to Loki's path for OTLP", async () => {
  const ids = { traceId: '5b8efff798038103d269b633813fc60c', spanId: 'eee19b7ec3c1b174' };
  const span = { ...ids, name: 'chat m', startTimeUnixNano: nowNs, endTimeUnixNano: nowNs };
  await send('traces', { resourceSpans: [{ resource, scopeSpans: [{ spans: [span] }] }] });
  const record = { eventName: 'pi.compaction.completed', timeUnixNano: nowNs };
  await send('logs', { resourceLogs: [{ resource, scopeLogs: [{ logRecords: [record] }] }] });
  await eventually(() => {
    const { spans, logs } = tempoAndLoki.received();
    expect(spans.map(({ name }) => name)).toEqual(['chat m']);
    expect(logs.map(({ eventName }) => eventName)).toEqual(['pi.compaction.completed']);
  });
  const { exporters } = parse(readFileSync(`${deploy}otel-collector.yaml`, 'utf8'));
  expect(exporters['otlp_http/loki'].endpoint).toBe('http://loki:3100/otlp');
});

test('the collector tells Prometheus of itself, too', async () => {
  await expect
    .poll(() => prometheus.query('{__name__=~"otelcol_receiver_accepted_spans.*"} > 0'))
    .toHaveLength(1);
});

/** deploy/observability/otel-collector.yaml at addresses of this test's own. */
async function startProfileCollector() {
  const ports = await Promise.all([1, 2, 3, 4, 5].map(() => freePort()));
  const [http = 0, grpc = 0, health = 0, page = 0, itself = 0] = ports;
  const at = (port: number) => ({ endpoint: `127.0.0.1:${port}` });
  const overlay = {
    extensions: { health_check: at(health) },
    receivers: { otlp: { protocols: { http: at(http), grpc: at(grpc) } } },
    exporters: {
      prometheus: at(page),
      'otlp_http/tempo': { endpoint: tempoAndLoki.httpUrl },
      'otlp_http/loki': { endpoint: tempoAndLoki.httpUrl },
    },
    service: { telemetry: { metrics: { readers: [ownMetricsAt(itself)] } } },
  };
  const own = join(directory, 'collector');
  mkdirSync(own);
  writeFileSync(join(own, 'addresses.json'), JSON.stringify(overlay));
  const process = createServerProcess({
    command: ownedCommand([
      otelPrograms().otelcol,
      `--config=${deploy}otel-collector.yaml`,
      `--config=${join(own, 'addresses.json')}`,
    ]),
    logPath: join(own, 'log'),
  });
  process.start();
  await eventually(
    async () => {
      if (!process.isRunning()) throw new Error(readFileSync(process.logPath, 'utf8'));
      expect((await fetch(`http://127.0.0.1:${health}/`)).status).toBe(200);
    },
    { intervalMs: 25 },
  );
  return {
    process,
    url: `http://127.0.0.1:${http}`,
    scraped: { '8889': `127.0.0.1:${page}`, '8888': `127.0.0.1:${itself}` },
  };
}

function ownMetricsAt(port: number): unknown {
  const { service } = parse(readFileSync(`${deploy}otel-collector.yaml`, 'utf8'));
  const [reader] = service.telemetry.metrics.readers;
  return { pull: { exporter: { prometheus: { ...reader.pull.exporter.prometheus, port } } } };
}

/** Those of deploy/observability/prometheus.yml. */
function targets() {
  const { scrape_configs: configs } = parse(readFileSync(`${deploy}prometheus.yml`, 'utf8'));
  return configs.map(({ job_name: job, static_configs: [{ targets: names }] }: ScrapeConfig) => ({
    job,
    address: scraped[names[0]?.split(':')[1] ?? ''] ?? '',
  }));
}

interface ScrapeConfig {
  readonly job_name: string;
  readonly static_configs: readonly [{ readonly targets: readonly string[] }];
}

async function send(signal: string, body: unknown): Promise<void> {
  const response = await fetch(`${collectorUrl}/v1/${signal}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
}
