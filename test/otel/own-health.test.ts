/** The bundle's collector tells an OpenTelemetry Collector how it fares itself. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { healthMetrics } from '@pi-ledger/contract/telemetry/health-metrics';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { exampleEvents } from '../collector/support/events.ts';
import { createLedger, type Ledger } from '../hosts/support/ledger/ledger.ts';
import { freePort } from '../hosts/support/machine/ports.ts';
import { type Otelcol, startOtelcol } from '../services/otelcol/otelcol.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { eventually } from '../support/eventually.ts';

const directory = temporaryDirectory();
let homes = 0;
let ledger: Ledger | null = null;
let otelcol: Otelcol;

beforeEach(async () => {
  otelcol = await startOtelcol(join(directory, `otelcol-${homes}`));
});
afterEach(async () => {
  await ledger?.stop();
  await otelcol.stop();
});

async function start(
  env: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<Ledger> {
  homes += 1;
  const home = join(directory, String(homes));
  const machine = { home: directory, ledgerHome: home, env: { ...plain, ...env } };
  ledger = await createLedger(machine, { import: false, ...settings });
  await ledger.start();
  return ledger;
}

const plain = { ...bareEnvironment, HOME: directory, TZ: 'UTC' };

async function offer({ url }: Ledger, values: readonly unknown[]): Promise<void> {
  const headers = { 'content-type': 'application/cloudevents-batch+json' };
  const body = JSON.stringify(values);
  const response = await fetch(`${url}/v1/events`, { method: 'POST', headers, body });
  expect(response.status).toBe(200);
}

/** The last points of a metric: its values, or how many were measured, by its attribute. */
function latest({ name }: { readonly name: string }): Readonly<Record<string, number>> {
  const points = otelcol.received().metrics.findLast((metric) => metric.name === name)?.points;
  return Object.fromEntries(
    (points ?? []).map(({ attributes, value, counts }) => [
      Object.values(attributes).join(),
      counts.length === 0 ? value : counts.reduce((sum, count) => sum + count, 0),
    ]),
  );
}

test('what it does and where it stands arrives, under a service name of its own', async () => {
  const running = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: otelcol.httpUrl,
    OTEL_METRIC_EXPORT_INTERVAL: '300',
    OTEL_SERVICE_NAME: 'my-agents',
  });
  const events = exampleEvents(1, 3);
  await offer(running, events);
  await offer(running, [...events, { not: 'an event' }]);
  await eventually(() =>
    expect(latest(healthMetrics.ingestEvents)).toEqual({
      ...{ accepted: 3, duplicate: 3, expired: 0, rejected: 1 },
    }),
  );
  await eventually(() => expect(latest(healthMetrics.viewLag)).toMatchObject({ sessions: 0 }));
  expect(latest(healthMetrics.ingestDuration)).toEqual({ taken: 2 });
  expect(latest(healthMetrics.storeDuration)).toMatchObject({ append: 2 });
  // What is read is read before what is counted: it may be of the moment before.
  await eventually(() => expect(latest(healthMetrics.leader)).toEqual({ '': 1 }));
  await eventually(() => expect(latest(healthMetrics.deadLetters)).toEqual({ '': 1 }));
  expect(latest(healthMetrics.producersDropped)).toMatchObject({ spoolFull: 0 });
  expect(latest(healthMetrics.producersSilent)).toEqual({ '': 0 });
  const own = otelcol.received().metrics.filter(({ name }) => name.startsWith('pi.ledger.'));
  const names = new Set(own.map(({ name }) => name));
  const { subscriberLag: _, ...always } = healthMetrics;
  expect(Object.values(always).filter(({ name }) => !names.has(name))).toEqual([]);
  expect(new Set(own.map(({ resource }) => resource['service.name']))).toEqual(
    new Set(['my-agents-collector']),
  );
  expect(new Set(own.map(({ resource }) => resource['service.instance.id'])).size).toBe(1);
  for (const { name, unit, temporality, kind } of own) {
    const metric = Object.values(healthMetrics).find((each) => each.name === name);
    expect([name, unit]).toEqual([name, metric?.unit]);
    expect([name, temporality]).toEqual([name, kind === 'gauge' ? 0 : 2]);
  }
  const told = own.flatMap(({ resource, points }) => [resource, ...points.map(attributesOf)]);
  expect(JSON.stringify(told)).not.toContain(directory);
});

function attributesOf({ attributes }: { readonly attributes: object }): object {
  return attributes;
}

test('the first export has zeros, so that what follows is growth', async () => {
  await start({ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${otelcol.httpUrl}/v1/metrics` });
  const { name } = healthMetrics.ingestEvents;
  const first = () => otelcol.received().metrics.find((metric) => metric.name === name);
  await eventually(() => expect(first()?.points.map(({ value }) => value)).toEqual([0, 0, 0, 0]));
});

test('a gateway tells what it takes in, and that it cannot do so without brokers', async () => {
  const kafka = `kafka://127.0.0.1:${await freePort()}`;
  const { url } = await start(
    // Longer than it asks for brokers that do not answer.
    { OTEL_EXPORTER_OTLP_ENDPOINT: otelcol.httpUrl, OTEL_METRIC_EXPORT_INTERVAL: '4000' },
    { role: 'gateway', kafka },
  );
  const headers = { 'content-type': 'application/cloudevents-batch+json' };
  const body = JSON.stringify(exampleEvents(1, 3));
  expect((await fetch(`${url}/v1/events`, { method: 'POST', headers, body })).status).toBe(503);
  await expect.poll(() => latest(healthMetrics.ingestDuration)).toEqual({ failed: 1 });
  await expect.poll(() => latest(healthMetrics.ready)).toEqual({ '': 0 });
  expect(latest(healthMetrics.ingestEvents)).toMatchObject({ accepted: 0, rejected: 0 });
  expect(latest(healthMetrics.leader)).toEqual({});
});

test('a dead endpoint delays neither events nor the end for long', async () => {
  const port = await freePort();
  const running = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_METRIC_EXPORT_INTERVAL: '100',
  });
  await offer(running, exampleEvents(1, 3));
  expect(await running.stop()).toMatchObject({ exitCode: 0 });
});

test('without an endpoint for metrics no module of OpenTelemetry is loaded', async () => {
  const loadedBy = async (name: string, env: Readonly<Record<string, string>>) => {
    const coverage = join(directory, name);
    await start({ ...env, NODE_V8_COVERAGE: coverage });
    expect(await ledger?.stop()).toMatchObject({ exitCode: 0 });
    return modulesIn(coverage).filter((path) =>
      readFileSync(path, 'utf8').includes('opentelemetry.js.api'),
    );
  };
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: otelcol.httpUrl };
  expect(await loadedBy('without', {})).toEqual([]);
  expect(await loadedBy('none', { ...endpoint, OTEL_METRICS_EXPORTER: 'none' })).toEqual([]);
  expect((await loadedBy('with', endpoint)).length).toBeGreaterThan(0);
});

/** Files that a process ran, as V8 noted when it ended. */
function modulesIn(coverage: string): readonly string[] {
  const found = readdirSync(coverage).flatMap((name): { readonly url: string }[] => {
    const { result } = JSON.parse(readFileSync(join(coverage, name), 'utf8'));
    return result;
  });
  const files = found.map(({ url }) => url).filter((url) => url.startsWith('file:'));
  expect(files.length).toBeGreaterThan(10);
  return files.map((url) => fileURLToPath(url));
}
