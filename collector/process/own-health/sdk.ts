/**
 * The OpenTelemetry SDK for the collector's own metrics. Everything is given to it: it finds out
 * nothing about the machine, sends no spans and no logs, and patches no module.
 */
import { randomUUID } from 'node:crypto';
import { type Meter, metrics } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { createResource } from '../../exporters/otlp/resource.ts';
import { createOtlpSender, type OtlpSender } from '../../exporters/otlp/sender.ts';
import type { OtlpSettings, Telemetry } from '../../exporters/otlp/settings.ts';
import { within } from '../../timers/within.ts';

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

// Hands what the SDK collects to the same sender as everything else.

export interface SendingExporter extends PushMetricExporter {
  /** Ends an attempt under way. */
  abort(): void;
}

export interface SendingOptions {
  readonly sender: OtlpSender<ResourceMetrics>;
  /** One attempt has this long, its pauses included: the next export does not find it waiting. */
  readonly timeoutMs: number;
  /** The first of several equal failures in a row, one line. Must not throw. */
  onFailure(message: string): void;
}

export function createSendingExporter({
  sender,
  timeoutMs,
  onFailure,
}: SendingOptions): SendingExporter {
  const stopping = new AbortController();
  let failure: string | null = null;

  function tell(next: string | null): void {
    if (next !== null && next !== failure && !stopping.signal.aborted) onFailure(next);
    failure = next;
  }

  async function send(metrics: ResourceMetrics): Promise<ExportResult> {
    try {
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(timeoutMs)]);
      const { refused, rejected, message } = await sender.send(metrics, signal);
      tell(refused + rejected === 0 ? null : (message ?? 'metrics were refused'));
      return { code: ExportResultCode.SUCCESS };
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      tell(error.message);
      return { code: ExportResultCode.FAILED, error };
    }
  }

  return {
    export: (metrics, done) => void send(metrics).then(done),
    selectAggregationTemporality: () => AggregationTemporality.CUMULATIVE,
    forceFlush: () => Promise.resolve(),
    shutdown: async () => sender.close(),
    abort: () => stopping.abort(),
  };
}
