import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadCollectorConfig } from '../../../collector/config/config.ts';
import { openLedger, startCollector } from '../../../collector/main.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { exampleEvent } from '../support/events.ts';
import { memberEvents } from '../support/family.ts';
import { openEndpoint } from './support/endpoint.ts';

const directory = temporaryDirectory();
let homes = 0;

function configWith(environment: Record<string, string>) {
  homes += 1;
  const home = join(directory, String(homes));
  mkdirSync(home);
  return loadCollectorConfig({ PI_LEDGER_HOME: home, PI_LEDGER_PORT: '0', ...environment });
}

it('a collector whose OTEL_* variables are not valid does not start, and names them', async () => {
  const start = startCollector(configWith({ OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost' }));
  await expect(start).rejects.toMatchObject({
    code: 'config_invalid',
    message:
      'The configuration is not valid: ' +
      'OTEL_EXPORTER_OTLP_ENDPOINT is not an address such as http://localhost:4318.',
  });
});

it('commands do not care: they export nothing', async () => {
  const ledger = await openLedger(configWith({ OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost' }));
  await ledger.close();
});

it('a collector that leads exports what it receives', async () => {
  const endpoint = await openEndpoint();
  const config = configWith({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint.url });
  const collector = await startCollector(config);
  onTestFinished(async () => {
    await collector.stop();
  });
  const events = [
    ...memberEvents({ id: 'session-1' }),
    exampleEvent({ number: 1, type: 'pi.compaction.completed.v1' }),
  ];
  await expect
    .poll(async () => (await fetch(`${collector.url}/health/ready`)).text())
    .toContain('"name":"otlp-logs","position":0');
  const answer = await fetch(`${collector.url}/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/cloudevents-batch+json' },
    body: JSON.stringify(events),
  });
  expect(answer.status).toBe(200);
  await expect
    .poll(() => endpoint.taken().map(({ name }) => name))
    .toContain('pi.compaction.completed');
});

it('a collector whose endpoint is dead for metrics says so in one line', async () => {
  const lines: string[] = [];
  const endpoint = await openEndpoint();
  await endpoint.close();
  const config = configWith({
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${endpoint.url}/v1/metrics`,
    OTEL_METRIC_EXPORT_INTERVAL: '50',
  });
  const logStream = { write: (line: string) => void lines.push(line) };
  const collector = await startCollector(config, { logStream });
  onTestFinished(async () => {
    await collector.stop();
  });
  const event = JSON.stringify([exampleEvent({ number: 1 })]);
  await fetch(`${collector.url}/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/cloudevents-batch+json' },
    body: event,
  });
  await expect
    .poll(async () => (await fetch(`${collector.url}/health/ready`)).text())
    .toContain('Metrics are not sent: ');
  const told = lines.filter((line) => line.includes('ECONNREFUSED'));
  expect(told).toHaveLength(1);
  expect(told[0]).not.toContain('"stack"');
});
