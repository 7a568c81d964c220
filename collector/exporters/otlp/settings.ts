/**
 * Where each signal goes, by the standard variables `OTEL_*`
 * (https://opentelemetry.io/docs/specs/otel/protocol/exporter/).
 *
 * All problems are found at once and name their variable. None shows a value that may be a secret:
 * headers, and what an address says besides host and path.
 */
import { readFileSync } from 'node:fs';
import type { Environment } from '@pi-ledger/contract/settings/read';
import { readEndpoint } from './endpoint.ts';
import { readPairs } from './pairs.ts';
import type { Protocol, Signal } from './protocol.ts';

export interface OtlpSettings {
  readonly protocol: Protocol;
  /** Of HTTP: the whole one. Of gRPC: scheme, host and port. */
  readonly url: URL;
  readonly headers: ReadonlyMap<string, string>;
  /** Of one attempt. */
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
  /** Null: this signal is not exported. */
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
  const reader = readerOf(environment, (message) => {
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
    resource: resourceOf(isUsed ? reader : silent),
    previousNames: isOptedIn('gen_ai_previous', reader),
    metricReader: metricReaderOf(signals.metrics === null ? silent : reader),
    problems,
  };
}

interface Found {
  readonly variable: string;
  readonly text: string;
}

interface Reader {
  /** The first that is set. */
  find(...variables: readonly string[]): Found | null;
  complain(message: string): void;
}

/** An empty variable counts as not set. */
function readerOf(environment: Environment, complain: (message: string) => void): Reader {
  return {
    find(...variables) {
      for (const variable of variables) {
        const text = environment[variable]?.trim();
        if (text) return { variable, text };
      }
      return null;
    },
    complain,
  };
}

function signalSettings(signal: Signal, reader: Reader): OtlpSettings | null {
  const { find, complain } = reader;
  const ofSignal = signal.toUpperCase();
  const setting = (name: string): Found | null =>
    find(`OTEL_EXPORTER_OTLP_${ofSignal}_${name}`, `OTEL_EXPORTER_OTLP_${name}`);
  const endpoint = setting('ENDPOINT');
  if (endpoint === null || !isWanted(ofSignal, reader)) return null;
  const choose = <Choice extends string>(name: string, choices: readonly [Choice, ...Choice[]]) => {
    const found = setting(name);
    if (found === null) return choices[0];
    const choice = choices.find((each) => each === found.text.toLowerCase());
    if (choice === undefined) complain(expected(found, choices.join(' or ')));
    return choice ?? choices[0];
  };
  const protocol = choose<Protocol>('PROTOCOL', ['http/protobuf', 'grpc']);
  const insecure = setting('INSECURE')?.text.toLowerCase() === 'true';
  const isOwn = endpoint.variable.includes(`_${ofSignal}_`);
  const url = readEndpoint(endpoint.text, { protocol, insecure, path: isOwn ? null : signal });
  if (url === null) {
    const example = protocol === 'grpc' ? 'http://localhost:4317' : 'http://localhost:4318';
    complain(`${endpoint.variable} is not an address such as ${example}`);
    return null;
  }
  const file = (name: string) => readFile(setting(name), complain);
  return {
    protocol,
    url,
    headers: headersOf(ofSignal, reader),
    timeoutMs: millisOf(setting('TIMEOUT'), timeoutMsDefault, complain),
    compression: choose<'none' | 'gzip'>('COMPRESSION', ['none', 'gzip']),
    tls: { ca: file('CERTIFICATE'), cert: file('CLIENT_CERTIFICATE'), key: file('CLIENT_KEY') },
  };
}

function isWanted(ofSignal: string, { find }: Reader): boolean {
  if (find('OTEL_SDK_DISABLED')?.text.toLowerCase() === 'true') return false;
  const exporters = find(`OTEL_${ofSignal}_EXPORTER`)?.text.toLowerCase() ?? 'otlp';
  return exporters.split(',').some((name) => name.trim() === 'otlp');
}

/** Those of the signal win over those of all. */
function headersOf(ofSignal: string, { find, complain }: Reader): ReadonlyMap<string, string> {
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

function resourceOf({ find, complain }: Reader): ReadonlyMap<string, string> {
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

function isOptedIn(category: string, { find }: Reader): boolean {
  const categories = find('OTEL_SEMCONV_STABILITY_OPT_IN')?.text.split(',') ?? [];
  return categories.some((each) => each.trim() === category);
}

function metricReaderOf({ find, complain }: Reader): Telemetry['metricReader'] {
  return {
    intervalMs: millisOf(find('OTEL_METRIC_EXPORT_INTERVAL'), intervalMsDefault, complain),
    timeoutMs: millisOf(find('OTEL_METRIC_EXPORT_TIMEOUT'), exportMsDefault, complain),
  };
}

function millisOf(found: Found | null, otherwise: number, complain: Reader['complain']): number {
  if (found === null) return otherwise;
  const ms = Number(found.text);
  if (Number.isInteger(ms) && ms > 0 && ms <= 2 ** 31 - 1) return ms;
  complain(expected(found, 'milliseconds'));
  return otherwise;
}

function readFile(found: Found | null, complain: Reader['complain']): Buffer | null {
  if (found === null) return null;
  try {
    return readFileSync(found.text);
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    complain(`${found.variable} names a file that cannot be read${why}`);
    return null;
  }
}

function expected({ variable, text }: Found, fit: string): string {
  return `${variable} is ${JSON.stringify(text.slice(0, 80))}, expected ${fit}`;
}
