import type { ExportResult } from '@opentelemetry/core';
import { emptyResource } from '@opentelemetry/resources';
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics';
import { expect, it } from 'vitest';
import { createOtlpSender } from '../../../../collector/exporters/otlp/sender.ts';
import { readTelemetry } from '../../../../collector/exporters/otlp/settings.ts';
import {
  createSendingExporter,
  type SendingExporter,
} from '../../../../collector/process/own-health/sdk.ts';
import { openEndpoint } from '../../exporters/support/endpoint.ts';

const metrics: ResourceMetrics = { resource: emptyResource(), scopeMetrics: [] };

async function exporterTo(url: string, timeoutMs: number) {
  const { signals } = readTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
  if (signals.metrics === null) throw new Error('Metrics are set up.');
  const told: string[] = [];
  const exporter = createSendingExporter({
    sender: await createOtlpSender('metrics', signals.metrics),
    timeoutMs,
    onFailure: (message) => told.push(message),
  });
  return { exporter, told };
}

function exported(exporter: SendingExporter): Promise<ExportResult> {
  return new Promise((resolve) => exporter.export(metrics, resolve));
}

it('keeps no export waiting for as long as the endpoint asks, and says so once', async () => {
  const endpoint = await openEndpoint();
  endpoint.behave(() => ({ status: 429, headers: { 'retry-after': '3600' }, body: 'later' }));
  const { exporter, told } = await exporterTo(endpoint.url, 200);
  for (let minute = 0; minute < 3; minute++)
    expect((await exported(exporter)).error?.message).toContain('HTTP 429: later');
  expect(endpoint.requests).toHaveLength(1);
  expect(told).toEqual([`${endpoint.url}/v1/metrics: HTTP 429: later`]);
});

it('says again what fails again', async () => {
  const endpoint = await openEndpoint();
  const { exporter, told } = await exporterTo(endpoint.url, 5_000);
  for (const status of [503, 503, 200, 503]) {
    endpoint.behave(() => ({ status }));
    await exported(exporter);
  }
  expect(told).toEqual(Array(2).fill(`${endpoint.url}/v1/metrics: HTTP 503`));
});
