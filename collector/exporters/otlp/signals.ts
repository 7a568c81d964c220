/** What differs between the signals: how a batch is written, and how it is split. */

import type { ReadableLogRecord } from '@opentelemetry/sdk-logs';
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { Signal } from './protocol.ts';

export interface SignalBatches {
  readonly traces: readonly ReadableSpan[];
  readonly logs: readonly ReadableLogRecord[];
  readonly metrics: ResourceMetrics;
}

export interface SignalCodec<Batch> {
  /** It is the path of the gRPC method. */
  readonly path: string;
  write(batch: Batch): Uint8Array;
  /** Throws what is no answer of this signal. */
  readAnswer(body: Uint8Array): { readonly rejected: number; readonly message: string };
  /** Spans, records or points. */
  count(batch: Batch): number;
  /** Returns null for a single span, record or metric. */
  split(batch: Batch): readonly [Batch, Batch] | null;
}

type Codecs = { readonly [Name in Signal]: () => Promise<SignalCodec<SignalBatches[Name]>> };

/** Loaded when a sender is created. */
export const codecs: Codecs = {
  async traces() {
    const { ProtobufTraceSerializer: serializer } = await import('@opentelemetry/otlp-transformer');
    return {
      path: grpcMethod('trace', 'Trace'),
      write: (batch) => written(serializer.serializeRequest([...batch])),
      readAnswer(body) {
        const { partialSuccess } = serializer.deserializeResponse(body);
        return partial(partialSuccess?.rejectedSpans, partialSuccess?.errorMessage);
      },
      count: (batch) => batch.length,
      split: halves,
    };
  },
  async logs() {
    const { ProtobufLogsSerializer: serializer } = await import('@opentelemetry/otlp-transformer');
    return {
      path: grpcMethod('logs', 'Logs'),
      write: (batch) => written(serializer.serializeRequest([...batch])),
      readAnswer(body) {
        const { partialSuccess } = serializer.deserializeResponse(body);
        return partial(partialSuccess?.rejectedLogRecords, partialSuccess?.errorMessage);
      },
      count: (batch) => batch.length,
      split: halves,
    };
  },
  async metrics() {
    const { ProtobufMetricsSerializer: serializer } = await import(
      '@opentelemetry/otlp-transformer'
    );
    return {
      path: grpcMethod('metrics', 'Metrics'),
      write: (batch) => written(serializer.serializeRequest(batch)),
      readAnswer(body) {
        const { partialSuccess } = serializer.deserializeResponse(body);
        return partial(partialSuccess?.rejectedDataPoints, partialSuccess?.errorMessage);
      },
      count: countPoints,
      split: splitMetrics,
    };
  },
};

function grpcMethod(part: string, name: string): string {
  return `/opentelemetry.proto.collector.${part}.v1.${name}Service/Export`;
}

function written(bytes: Uint8Array | undefined): Uint8Array {
  if (bytes === undefined) throw new Error('The batch could not be written.');
  return bytes;
}

/** A 64-bit integer may come as text. */
function partial(rejected: number | string | undefined, message: string | undefined) {
  return { rejected: Number(rejected ?? 0), message: message ?? '' };
}

function halves<Item>(items: readonly Item[]): readonly [Item[], Item[]] | null {
  if (items.length < 2) return null;
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
}

/** By metrics: the points of one are of one kind, and come again with the next cycle. */
function splitMetrics(batch: ResourceMetrics): readonly [ResourceMetrics, ResourceMetrics] | null {
  const all = batch.scopeMetrics.flatMap(({ scope, metrics }) =>
    metrics.map((metric) => ({ scope, metrics: [metric] })),
  );
  const parts = halves(all);
  if (parts === null) return null;
  const [first, second] = parts;
  return [
    { ...batch, scopeMetrics: first },
    { ...batch, scopeMetrics: second },
  ];
}

function countPoints({ scopeMetrics }: ResourceMetrics): number {
  return scopeMetrics
    .flatMap(({ metrics }) => metrics)
    .reduce((sum, { dataPoints }) => sum + dataPoints.length, 0);
}
