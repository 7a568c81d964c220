/**
 * What an OpenTelemetry Collector wrote: OTLP as JSON, one request a line. 64-bit integers are
 * strings there.
 */
import { readFileSync } from 'node:fs';

export interface Received {
  readonly spans: readonly ReceivedSpan[];
  readonly logs: readonly ReceivedLog[];
  readonly metrics: readonly ReceivedMetric[];
}

/** Of strings, numbers, booleans, or a list of strings. */
type Attributes = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export interface ReceivedSpan {
  readonly resource: Attributes;
  readonly scope: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a root. */
  readonly parentSpanId: string;
  readonly name: string;
  /** 1 internal, 3 client. */
  readonly kind: number;
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly attributes: Attributes;
  /** 0 unset, 1 ok, 2 error. */
  readonly status: number;
  readonly events: readonly { readonly name: string; readonly attributes: Attributes }[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
}

interface ReceivedLog {
  readonly resource: Attributes;
  readonly eventName: string;
  readonly timeNs: bigint;
  readonly severity: number;
  readonly body: unknown;
  readonly attributes: Attributes;
  readonly traceId: string;
  readonly spanId: string;
}

interface ReceivedMetric {
  readonly resource: Attributes;
  readonly name: string;
  readonly unit: string;
  readonly kind: 'sum' | 'gauge' | 'histogram';
  /** 2 is cumulative; 0 for gauges. */
  readonly temporality: number;
  readonly isMonotonic: boolean;
  readonly points: readonly ReceivedPoint[];
}

interface ReceivedPoint {
  readonly attributes: Attributes;
  readonly startNs: bigint;
  readonly timeNs: bigint;
  /** Of a sum or gauge. */
  readonly value: number;
  /** Of a histogram; empty otherwise. */
  readonly bounds: readonly number[];
  readonly counts: readonly number[];
}

/** A last line that is still being written is left for the next time. */
export function receivedIn(path: string): Received {
  const text = readFileSync(path, 'utf8');
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  const requests = lines.filter((line) => line !== '').map((line): Request => JSON.parse(line));
  return {
    spans: requests.flatMap(({ resourceSpans = [] }) => resourceSpans.flatMap(spansOf)),
    logs: requests.flatMap(({ resourceLogs = [] }) => resourceLogs.flatMap(logsOf)),
    metrics: requests.flatMap(({ resourceMetrics = [] }) => resourceMetrics.flatMap(metricsOf)),
  };
}

interface Request {
  readonly resourceSpans?: readonly ResourceSpans[];
  readonly resourceLogs?: readonly ResourceLogs[];
  readonly resourceMetrics?: readonly ResourceMetrics[];
}

interface Value {
  readonly stringValue?: string;
  readonly intValue?: string;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
  readonly arrayValue?: { readonly values?: readonly Value[] };
}
type KeyValues = readonly { readonly key: string; readonly value: Value }[];

interface Resource {
  readonly attributes?: KeyValues;
}
interface ResourceSpans {
  readonly resource: Resource;
  readonly scopeSpans: readonly {
    readonly scope?: { readonly name?: string };
    readonly spans?: readonly RawSpan[];
  }[];
}
interface RawSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind?: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: KeyValues;
  readonly status?: { readonly code?: number };
  readonly events?: readonly { readonly name: string; readonly attributes?: KeyValues }[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
}
interface ResourceLogs {
  readonly resource: Resource;
  readonly scopeLogs: readonly { readonly logRecords?: readonly RawLog[] }[];
}
interface RawLog {
  readonly eventName?: string;
  readonly timeUnixNano?: string;
  readonly severityNumber?: number;
  readonly body?: unknown;
  readonly attributes?: KeyValues;
  readonly traceId?: string;
  readonly spanId?: string;
}
interface ResourceMetrics {
  readonly resource: Resource;
  readonly scopeMetrics: readonly { readonly metrics?: readonly RawMetric[] }[];
}
interface RawMetric {
  readonly name: string;
  readonly unit?: string;
  readonly sum?: RawData & { readonly isMonotonic?: boolean };
  readonly gauge?: RawData;
  readonly histogram?: RawData;
}
interface RawData {
  readonly aggregationTemporality?: number;
  readonly dataPoints?: readonly RawPoint[];
}
interface RawPoint {
  readonly attributes?: KeyValues;
  readonly startTimeUnixNano?: string;
  readonly timeUnixNano: string;
  readonly asDouble?: number;
  readonly asInt?: string;
  readonly explicitBounds?: readonly number[];
  readonly bucketCounts?: readonly string[];
}

function spansOf({ resource, scopeSpans }: ResourceSpans): readonly ReceivedSpan[] {
  return scopeSpans.flatMap(({ scope, spans = [] }) =>
    spans.map((span) => ({
      resource: attributesOf(resource.attributes),
      scope: scope?.name ?? '',
      traceId: span.traceId,
      spanId: span.spanId,
      parentSpanId: span.parentSpanId ?? '',
      name: span.name,
      kind: span.kind ?? 0,
      startNs: BigInt(span.startTimeUnixNano),
      endNs: BigInt(span.endTimeUnixNano),
      attributes: attributesOf(span.attributes),
      status: span.status?.code ?? 0,
      events: (span.events ?? []).map(({ name, attributes }) => ({
        name,
        attributes: attributesOf(attributes),
      })),
      links: (span.links ?? []).map(({ traceId, spanId }) => ({ traceId, spanId })),
    })),
  );
}

function logsOf({ resource, scopeLogs }: ResourceLogs): readonly ReceivedLog[] {
  return scopeLogs.flatMap(({ logRecords = [] }) =>
    logRecords.map((record) => ({
      resource: attributesOf(resource.attributes),
      eventName: record.eventName ?? '',
      timeNs: BigInt(record.timeUnixNano ?? 0),
      severity: record.severityNumber ?? 0,
      body: record.body,
      attributes: attributesOf(record.attributes),
      traceId: record.traceId ?? '',
      spanId: record.spanId ?? '',
    })),
  );
}

function metricsOf({ resource, scopeMetrics }: ResourceMetrics): readonly ReceivedMetric[] {
  return scopeMetrics.flatMap(({ metrics = [] }) =>
    metrics.map((metric) => {
      const data = metric.sum ?? metric.histogram ?? metric.gauge ?? {};
      return {
        resource: attributesOf(resource.attributes),
        name: metric.name,
        unit: metric.unit ?? '',
        kind: metric.sum ? 'sum' : metric.histogram ? 'histogram' : 'gauge',
        temporality: data.aggregationTemporality ?? 0,
        isMonotonic: metric.sum?.isMonotonic ?? false,
        points: (data.dataPoints ?? []).map(pointOf),
      } as const;
    }),
  );
}

function pointOf(point: RawPoint): ReceivedPoint {
  return {
    attributes: attributesOf(point.attributes),
    startNs: BigInt(point.startTimeUnixNano ?? 0),
    timeNs: BigInt(point.timeUnixNano),
    value: point.asDouble ?? Number(point.asInt ?? 0),
    bounds: point.explicitBounds ?? [],
    counts: (point.bucketCounts ?? []).map(Number),
  };
}

function attributesOf(pairs: KeyValues = []): Attributes {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, plainValue(value)]));
}

function plainValue(value: Value): Attributes[string] {
  if (value.intValue !== undefined) return Number(value.intValue);
  if (value.arrayValue !== undefined)
    return (value.arrayValue.values ?? []).map(({ stringValue = '' }) => stringValue);
  return value.stringValue ?? value.doubleValue ?? value.boolValue ?? '';
}
