/** Hands what the SDK collects to the same sender as everything else. */
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import {
  AggregationTemporality,
  type PushMetricExporter,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import type { OtlpSender } from '../../exporters/otlp/sender.ts';

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
