/** Log records to send, and a sender of them. */
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs';
import { expect, onTestFinished } from 'vitest';
import { createResource } from '../../../../collector/exporters/otlp/resource.ts';
import { createOtlpSender } from '../../../../collector/exporters/otlp/sender.ts';
import { readTelemetry } from '../../../../collector/exporters/otlp/settings.ts';

const resource = await createResource({
  telemetry: readTelemetry({ OTEL_RESOURCE_ATTRIBUTES: '' }),
  service: 'agents',
  instanceId: 'store',
  version: '0.1.0',
});
const instrumentationScope = { name: 'pi-ledger' };

export function recordsNamed(...names: readonly string[]): ReadableLogRecord[] {
  return names.map((eventName) => ({
    ...{ eventName, resource, instrumentationScope },
    hrTime: [1_795_417_712, 290_000_000],
    hrTimeObserved: [1_795_417_712, 290_000_000],
    attributes: { 'pi.project': 'shop' },
    droppedAttributesCount: 0,
  }));
}

/** `more`: variables besides the endpoint, without their prefix. */
export async function logsSender(url: string, more: Readonly<Record<string, string>> = {}) {
  const { signals, problems } = readTelemetry({
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    ...Object.fromEntries(
      Object.entries(more).map(([name, text]) => [`OTEL_EXPORTER_OTLP_${name}`, text]),
    ),
  });
  expect(problems).toEqual([]);
  if (signals.logs === null) throw new Error('Logs are not exported.');
  const sender = await createOtlpSender('logs', signals.logs);
  onTestFinished(() => sender.close());
  return sender;
}
