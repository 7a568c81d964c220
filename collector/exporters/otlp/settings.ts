/**
 * Where each signal goes, by the standard variables `OTEL_*`
 * (https://opentelemetry.io/docs/specs/otel/protocol/exporter/).
 *
 * All problems are found at once and name their variable. None shows a value that may be a secret:
 * headers, and what an address says besides host and path.
 */
import type { Environment } from '@pi-ledger/contract/settings/read';
import { readEndpoint } from './endpoint.ts';
import type { Protocol, Signal } from './protocol.ts';
import type { FoundVariable } from './variables.ts';
import {
  createReader,
  expected,
  isTrue,
  readChoice,
  readMillis,
  readPem,
  type VariablesReader,
} from './variables.ts';

export interface OtlpSettings {
  readonly protocol: Protocol;
  /** HTTP has the whole address here; gRPC has scheme, host and port. */
  readonly url: URL;
  readonly headers: ReadonlyMap<string, string>;
  /** One attempt may take this long. */
  readonly timeoutMs: number;
  readonly compression: 'none' | 'gzip';
  /** PEM. Null: what Node trusts, and no certificate of our own. */
  readonly tls: {
    readonly ca: Buffer | null;
    readonly cert: Buffer | null;
    readonly key: Buffer | null;
  };
}

export interface Telemetry {
  /** A signal that is null is not exported. */
  readonly signals: Readonly<Record<Signal, OtlpSettings | null>>;
  /** `OTEL_RESOURCE_ATTRIBUTES`, and `OTEL_SERVICE_NAME`, which wins. */
  readonly resource: ReadonlyMap<string, string>;
  /** How often metrics are sent, and how long that may take. */
  readonly metricReader: { readonly intervalMs: number; readonly timeoutMs: number };
  /** Metrics have the names of the conventions before the current ones. */
  readonly previousNames: boolean;
  /** With one of these nothing may be exported. */
  readonly problems: readonly string[];
}

const timeoutMsDefault = 10_000;
const intervalMsDefault = 60_000;
const exportMsDefault = 30_000;

export function readTelemetry(environment: Environment): Telemetry {
  const problems: string[] = [];
  const reader = createReader(environment, (message) => {
    if (!problems.includes(message)) problems.push(message);
  });
  const signals = {
    traces: signalSettings('traces', reader),
    metrics: signalSettings('metrics', reader),
    logs: signalSettings('logs', reader),
  };
  // Who exports nothing is not told of variables that others need.
  const isUsed = Object.values(signals).some((each) => each !== null);
  const silent = { ...reader, complain: () => undefined };
  return {
    signals,
    resource: readResource(isUsed ? reader : silent),
    previousNames: isOptedIn('gen_ai_previous', reader),
    metricReader: readMetricReader(signals.metrics === null ? silent : reader),
    problems,
  };
}

function signalSettings(signal: Signal, reader: VariablesReader): OtlpSettings | null {
  const { find, complain } = reader;
  const ofSignal = signal.toUpperCase();
  const setting = (name: string): FoundVariable | null =>
    find(`OTEL_EXPORTER_OTLP_${ofSignal}_${name}`, `OTEL_EXPORTER_OTLP_${name}`);
  const endpoint = setting('ENDPOINT');
  if (endpoint === null || !isWanted(ofSignal, reader)) return null;
  const choose = <Choice extends string>(name: string, choices: readonly [Choice, ...Choice[]]) =>
    readChoice(setting(name), choices, complain);
  const protocol = choose<Protocol>('PROTOCOL', ['http/protobuf', 'grpc']);
  const insecure = isTrue(setting('INSECURE'), complain);
  const isOwn = endpoint.variable.includes(`_${ofSignal}_`);
  const url = readEndpoint(endpoint.text, { protocol, insecure, path: isOwn ? null : signal });
  if (url === null) {
    const example = protocol === 'grpc' ? 'http://localhost:4317' : 'http://localhost:4318';
    complain(`${endpoint.variable} is not an address such as ${example}`);
    return null;
  }
  return {
    protocol,
    url,
    headers: readHeaders(ofSignal, reader),
    timeoutMs: readMillis(setting('TIMEOUT'), timeoutMsDefault, complain),
    compression: choose<'none' | 'gzip'>('COMPRESSION', ['none', 'gzip']),
    tls: readTls(setting, complain),
  };
}

function readTls(
  setting: (name: string) => FoundVariable | null,
  complain: VariablesReader['complain'],
): OtlpSettings['tls'] {
  const [cert, key] = [setting('CLIENT_CERTIFICATE'), setting('CLIENT_KEY')];
  const alone = key === null ? cert : cert === null ? key : null;
  if (alone !== null)
    complain(`${alone.variable} is of no use without its ${alone === key ? 'certificate' : 'key'}`);
  return {
    ca: readPem(setting('CERTIFICATE'), 'CERTIFICATE', complain),
    cert: readPem(cert, 'CERTIFICATE', complain),
    key: readPem(key, 'PRIVATE KEY', complain),
  };
}

/** `prometheus`: its page, which is there whatever is sent. */
const exporters: ReadonlySet<string> = new Set(['otlp', 'none', 'prometheus']);

function isWanted(ofSignal: string, { find, complain }: VariablesReader): boolean {
  if (isTrue(find('OTEL_SDK_DISABLED'), complain)) return false;
  const found = find(`OTEL_${ofSignal}_EXPORTER`);
  if (found === null) return true;
  const names = found.text.split(',').map((name) => name.trim().toLowerCase());
  if (!names.every((name) => exporters.has(name))) complain(expected(found, 'otlp or none'));
  return names.includes('otlp');
}

/** Those of the signal win over those of all. */
function readHeaders(
  ofSignal: string,
  { find, complain }: VariablesReader,
): ReadonlyMap<string, string> {
  const variables = ['OTEL_EXPORTER_OTLP_HEADERS', `OTEL_EXPORTER_OTLP_${ofSignal}_HEADERS`];
  const headers = new Map<string, string>();
  for (const variable of variables) {
    const found = find(variable);
    const pairs = found === null ? new Map<string, string>() : readPairs(found.text, 'headers');
    if (pairs === null) complain(`${variable} is not valid, expected name=value,name=value`);
    for (const [name, value] of pairs ?? []) headers.set(name.toLowerCase(), value);
  }
  return headers;
}

function readResource({ find, complain }: VariablesReader): ReadonlyMap<string, string> {
  const found = find('OTEL_RESOURCE_ATTRIBUTES');
  const attributes = found === null ? new Map<string, string>() : readPairs(found.text, 'texts');
  if (attributes === null)
    complain('OTEL_RESOURCE_ATTRIBUTES is not valid, expected name=value,name=value');
  const name = find('OTEL_SERVICE_NAME');
  return new Map([
    ...(attributes ?? []),
    ...(name === null ? [] : [['service.name', name.text] as const]),
  ]);
}

function isOptedIn(category: string, { find }: VariablesReader): boolean {
  const categories = find('OTEL_SEMCONV_STABILITY_OPT_IN')?.text.split(',') ?? [];
  return categories.some((each) => each.trim() === category);
}

function readMetricReader({ find, complain }: VariablesReader): Telemetry['metricReader'] {
  // Who asks for differences would add up totals.
  readChoice(find('OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE'), ['cumulative'], complain);
  return {
    intervalMs: readMillis(find('OTEL_METRIC_EXPORT_INTERVAL'), intervalMsDefault, complain),
    timeoutMs: readMillis(find('OTEL_METRIC_EXPORT_TIMEOUT'), exportMsDefault, complain),
  };
}

/** Lists as `OTEL_EXPORTER_OTLP_HEADERS` writes them: `name=value,name=value`. Pure. */
/** Values are percent-decoded. Null: not such a list, or a header that HTTP does not allow. */
function readPairs(text: string, of: 'headers' | 'texts'): ReadonlyMap<string, string> | null {
  const pairs = new Map<string, string>();
  for (const part of text.split(',').filter((each) => each.trim() !== '')) {
    const at = part.indexOf('=');
    const name = part.slice(0, Math.max(at, 0)).trim();
    if (name === '') return null;
    try {
      const value = decodeURIComponent(part.slice(at + 1).trim());
      if (of === 'headers' && !(headerName.test(name) && headerValue.test(value))) return null;
      pairs.set(decodeURIComponent(name), value);
    } catch {
      return null;
    }
  }
  return pairs;
}

/** RFC 9110. (`node:http` could tell, and takes every command longer to load than this.) */
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;
