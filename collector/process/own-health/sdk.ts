/**
 * The OpenTelemetry SDK for the collector's own metrics. Everything is given to it: it finds out
 * nothing about the machine, sends no spans and no logs, and patches no module.
 */
import { randomUUID } from 'node:crypto';
import { type Meter, metrics } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { createResource } from '../../exporters/otlp/resource.ts';
import { createOtlpSender } from '../../exporters/otlp/sender.ts';
import type { OtlpSettings, Telemetry } from '../../exporters/otlp/settings.ts';
import { within } from '../../timers/within.ts';
import { createSendingExporter } from './exporter.ts';

export interface SdkOptions {
  readonly telemetry: Telemetry;
  readonly settings: OtlpSettings;
  readonly version: string;
  /** One line. Must not throw. */
  onFailure(message: string): void;
}

export interface RunningSdk {
  readonly meter: Meter;
  /** Sends at once what there is. Never rejects. */
  flush(): Promise<void>;
  /** Sends a last time, if that goes fast. Never rejects. */
  stop(): Promise<void>;
}

const stopMsMax = 2_000;

export async function startSdk(options: SdkOptions): Promise<RunningSdk> {
  const { settings, telemetry, version, onFailure } = options;
  const { intervalMs } = telemetry.metricReader;
  const timeoutMs = Math.min(telemetry.metricReader.timeoutMs, intervalMs);
  const sender = await createOtlpSender('metrics', settings);
  const exporter = createSendingExporter({ sender, timeoutMs, onFailure });
  const reader = new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: intervalMs,
    exportTimeoutMillis: timeoutMs,
  });
  const sdk = new NodeSDK({
    resource: await ownResource(options),
    metricReaders: [reader],
    ...{ autoDetectResources: false, instrumentations: [], textMapPropagator: null },
    ...{ spanProcessors: [], logRecordProcessors: [] },
  });
  sdk.start();
  return {
    meter: metrics.getMeter('pi-ledger', version),
    flush: () => reader.forceFlush().catch(() => undefined), // the exporter tells
    async stop() {
      // Rejects when the endpoint is down.
      await within(
        stopMsMax,
        sdk.shutdown().catch(() => undefined),
      );
      exporter.abort();
      await exporter.shutdown();
      metrics.disable();
    },
  };
}

/** Each process is an instance. A name that users give is the agents'; this stands beside it. */
async function ownResource({ telemetry, version }: SdkOptions) {
  const instanceId = randomUUID();
  const resource = await createResource({ telemetry, service: 'collector', instanceId, version });
  const named = telemetry.resource.get('service.name');
  return named === undefined
    ? resource
    : resource.merge(resourceFromAttributes({ 'service.name': `${named}-collector` }));
}
