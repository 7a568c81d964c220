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

/** `onError` is told of the first of several failures in a row. */
export function createSendingExporter(
  sender: OtlpSender<ResourceMetrics>,
  onError: (error: unknown) => void,
): SendingExporter {
  const stopping = new AbortController();
  let isFailing = false;

  async function send(metrics: ResourceMetrics): Promise<ExportResult> {
    try {
      const { refused, rejected, message } = await sender.send(metrics, stopping.signal);
      isFailing = false;
      if (refused + rejected > 0) onError(new Error(message ?? 'metrics were refused'));
      return { code: ExportResultCode.SUCCESS };
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      if (!isFailing && !stopping.signal.aborted) onError(error);
      isFailing = true;
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
