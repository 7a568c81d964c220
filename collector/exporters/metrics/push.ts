/**
 * Sends the counters at an interval, all of them each time: what an endpoint misses, the next cycle
 * brings. One cycle is in memory.
 *
 * Within a cycle nothing is tried again. It has arrived when the endpoint has answered to each of
 * its parts; points that the endpoint refuses are told as a failure, and come again.
 */

import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { emptyResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  MeterProvider,
  type MetricProducer,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
  type ResourceMetrics,
  type ScopeMetrics,
} from '@opentelemetry/sdk-metrics';
import { errorText } from '@pi-ledger/core/text/error-text';
import { createOtlpSender, type OtlpSender } from '../otlp/sender.ts';
import type { OtlpSettings } from '../otlp/settings.ts';
import type { Cycle } from './cycle.ts';
import { scopeMetrics } from './metric-data.ts';
import { createPushReader, type PushReader, type ReaderOptions } from './readers.ts';

export interface MetricsPushOptions extends ReaderOptions {
  readonly settings: OtlpSettings;
  readonly intervalMs: number;
  /** A part of a cycle may take this long. */
  readonly timeoutMs: number;
  readonly version: string;
  /** Attributes of the resource of an identity. */
  resourceOf(startMs: number): Readonly<Record<string, string>>;
  /** After each cycle: one line, or null where all has arrived. Must not throw. */
  onOutcome(failure: string | null): void;
}

export interface MetricsPush {
  /** Sends once more if that goes fast. Never rejects. */
  stop(): Promise<void>;
}

/**
 * A request has at most this many. By gRPC endpoints take 4 MiB by default; a point is some 300
 * bytes.
 */
const pointsMax = 5_000;
const stopMsMax = 2_000;

export async function startMetricsPush(options: MetricsPushOptions): Promise<MetricsPush> {
  const { settings, intervalMs, timeoutMs } = options;
  const sender = await createOtlpSender('metrics', settings);
  const stopping = new AbortController();
  const cycles = createCycles(options, createPushReader(options));
  const reader = new PeriodicExportingMetricReader({
    exporter: createExporter({ timeoutMs, sender, cycles, stopping: stopping.signal }),
    metricProducers: [cycles],
    exportIntervalMillis: intervalMs,
    exportTimeoutMillis: Math.min(timeoutMs, intervalMs),
    maxExportBatchSize: pointsMax,
  });
  const provider = new MeterProvider({ readers: [reader] });
  provider.forceFlush().catch(() => undefined); // the outcome is told
  return {
    async stop() {
      await provider.shutdown({ timeoutMillis: stopMsMax }).catch(() => undefined);
      stopping.abort();
      sender.close();
    },
  };
}

interface Cycles extends MetricProducer {
  /** The one that is under way. */
  current(): RunningCycle | null;
}

interface RunningCycle {
  readonly resourceAttributes: Readonly<Record<string, string>>;
  /** The endpoint has answered to this many points. */
  answered(points: number): void;
  failed(message: string): void;
}

function createCycles(options: MetricsPushOptions, reader: PushReader): Cycles {
  const { version, now, resourceOf, onOutcome } = options;
  let current: RunningCycle | null = null;

  function begin(cycle: Cycle, points: number): RunningCycle {
    let left = points;
    let hasFailed = false;
    return {
      resourceAttributes: resourceOf(cycle.exposition.startMs),
      answered(points) {
        left -= points;
        if (left > 0) return;
        reader.arrived(cycle);
        if (!hasFailed) onOutcome(null);
      },
      failed(message) {
        hasFailed = true;
        onOutcome(message);
      },
    };
  }

  async function read(): Promise<ScopeMetrics[]> {
    current = null;
    const cycle = await reader.next();
    if (cycle === null) return [];
    const scope = scopeMetrics(cycle.exposition, { version, nowMs: now() });
    const points = scope.metrics.reduce((sum, { dataPoints }) => sum + dataPoints.length, 0);
    current = begin(cycle, points);
    return [scope];
  }

  return {
    current: () => current,
    async collect() {
      try {
        const resourceMetrics = { resource: emptyResource(), scopeMetrics: await read() };
        return { resourceMetrics, errors: [] };
      } catch (error) {
        onOutcome(`The counters cannot be read: ${errorMessage(error)}`);
        throw error;
      }
    },
  };
}

interface ExporterParts {
  readonly timeoutMs: number;
  readonly sender: OtlpSender<ResourceMetrics>;
  readonly cycles: Cycles;
  readonly stopping: AbortSignal;
}

function createExporter({
  timeoutMs,
  sender,
  cycles,
  stopping,
}: ExporterParts): PushMetricExporter {
  async function send(metrics: ResourceMetrics, cycle: RunningCycle): Promise<boolean> {
    const resource = resourceFromAttributes({ ...cycle.resourceAttributes });
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)]);
    const outcome = await sender.send({ ...metrics, resource }, signal);
    const { sent, message } = outcome;
    const lost = outcome.rejected + outcome.refused;
    if (lost > 0)
      cycle.failed(`The endpoint does not take ${lost} of ${sent + lost} points: ${message ?? ''}`);
    // Of a request of which nothing was taken, everything may be taken once it is set up rightly.
    if (sent > 0) cycle.answered(sent + lost);
    return lost === 0;
  }

  return {
    selectAggregationTemporality: () => AggregationTemporality.CUMULATIVE,
    export(metrics, done) {
      const cycle = cycles.current();
      if (cycle === null) return done(toResult(false));
      send(metrics, cycle).then(
        (isTaken) => done(toResult(isTaken)),
        (error: unknown) => {
          if (!stopping.aborted) cycle.failed(errorMessage(error));
          done(toResult(false));
        },
      );
    },
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  };
}

function toResult(isTaken: boolean): ExportResult {
  return { code: isTaken ? ExportResultCode.SUCCESS : ExportResultCode.FAILED };
}

function errorMessage(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'No answer in time.';
  return errorText(error);
}
