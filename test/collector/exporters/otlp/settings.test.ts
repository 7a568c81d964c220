import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTelemetry } from '../../../../collector/exporters/otlp/settings.ts';
import { temporaryDirectory } from '../../support/directory.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' };

function addresses(environment: Record<string, string>): Record<string, string | null> {
  const { signals, problems } = readTelemetry(environment);
  expect(problems).toEqual([]);
  return Object.fromEntries(
    Object.entries(signals).map(([signal, settings]) => [signal, settings?.url.href ?? null]),
  );
}

describe('settings of telemetry', () => {
  it('export nothing without an endpoint', () => {
    expect(addresses({})).toEqual({ traces: null, metrics: null, logs: null });
    expect(addresses({ OTEL_EXPORTER_OTLP_ENDPOINT: '' })).toMatchObject({ traces: null });
  });

  it("append the path of the signal to the endpoint for all, not to a signal's own", () => {
    expect(addresses(endpoint)).toEqual({
      traces: 'http://localhost:4318/v1/traces',
      metrics: 'http://localhost:4318/v1/metrics',
      logs: 'http://localhost:4318/v1/logs',
    });
    expect(
      addresses({
        OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otlp.example.org/otlp/',
        OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: 'http://localhost:9/take',
      }),
    ).toMatchObject({
      traces: 'https://otlp.example.org/otlp/v1/traces',
      logs: 'http://localhost:9/take',
    });
  });

  it('export only the signal that alone has an endpoint', () => {
    const environment = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://localhost:4318/v1/traces' };
    expect(addresses(environment)).toMatchObject({ metrics: null, logs: null });
  });

  it('leave out what is switched off', () => {
    expect(addresses({ ...endpoint, OTEL_SDK_DISABLED: 'TRUE' })).toMatchObject({
      ...{ traces: null, metrics: null, logs: null },
    });
    expect(addresses({ ...endpoint, OTEL_METRICS_EXPORTER: 'none' })).toMatchObject({
      traces: 'http://localhost:4318/v1/traces',
      metrics: null,
    });
  });

  it('take gRPC addresses with and without a scheme', () => {
    const grpc = { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' };
    const at = (url: string, more = {}) =>
      addresses({ ...grpc, OTEL_EXPORTER_OTLP_ENDPOINT: url, ...more }).traces;
    expect(at('http://localhost:4317')).toBe('http://localhost:4317/');
    expect(at('collector:4317')).toBe('https://collector:4317/');
    expect(at('collector:4317', { OTEL_EXPORTER_OTLP_INSECURE: 'true' })).toBe(
      'http://collector:4317/',
    );
  });

  it('read headers, those of the signal first, and hide their values in problems', () => {
    const { signals } = readTelemetry({
      ...endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20abc,x-scope = one',
      OTEL_EXPORTER_OTLP_LOGS_HEADERS: 'X-Scope=two',
    });
    expect(signals.traces?.headers).toEqual(
      new Map([
        ['authorization', 'Basic abc'],
        ['x-scope', 'one'],
      ]),
    );
    expect(signals.logs?.headers.get('x-scope')).toBe('two');
    for (const headers of ['hunter2', 'a=%', 'a=hunter2%0a', 'a b=hunter2']) {
      const { problems } = readTelemetry({ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers });
      expect(problems).toEqual([
        'OTEL_EXPORTER_OTLP_HEADERS is not valid, expected name=value,name=value',
      ]);
    }
  });

  it('name the variable of every problem', () => {
    const { problems } = readTelemetry({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318',
      OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: 'user:hunter2@nowhere',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_TIMEOUT: '10s',
      OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: 'zstd',
      OTEL_EXPORTER_OTLP_CERTIFICATE: '/nowhere/ca.pem',
      OTEL_RESOURCE_ATTRIBUTES: 'team',
    });
    expect(problems).toEqual([
      'OTEL_EXPORTER_OTLP_PROTOCOL is "http/json", expected http/protobuf or grpc',
      'OTEL_EXPORTER_OTLP_TIMEOUT is "10s", expected milliseconds',
      'OTEL_EXPORTER_OTLP_TRACES_COMPRESSION is "zstd", expected none or gzip',
      'OTEL_EXPORTER_OTLP_CERTIFICATE names a file that cannot be read (ENOENT)',
      'OTEL_EXPORTER_OTLP_LOGS_ENDPOINT is not an address such as http://localhost:4318',
      'OTEL_RESOURCE_ATTRIBUTES is not valid, expected name=value,name=value',
    ]);
  });

  it('tell of what would be exported, or left out, against the wish', () => {
    const { problems } = readTelemetry({
      ...endpoint,
      OTEL_TRACES_EXPORTER: 'oltp',
      OTEL_LOGS_EXPORTER: 'otlp,zipkin',
      OTEL_SDK_DISABLED: 'yes',
      OTEL_EXPORTER_OTLP_INSECURE: '1',
      OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: 'delta',
    });
    expect(problems).toEqual([
      'OTEL_SDK_DISABLED is "yes", expected false or true',
      'OTEL_TRACES_EXPORTER is "oltp", expected otlp or none',
      'OTEL_EXPORTER_OTLP_INSECURE is "1", expected false or true',
      'OTEL_LOGS_EXPORTER is "otlp,zipkin", expected otlp or none',
      'OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE is "delta", expected cumulative',
    ]);
  });

  it('say nothing of variables that nobody uses', () => {
    const unused = { OTEL_SDK_DISABLED: 'yes', OTEL_TRACES_EXPORTER: 'oltp' };
    expect(readTelemetry(unused).problems).toEqual([]);
    const delta = { OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: 'delta' };
    const noMetrics = { ...endpoint, ...delta, OTEL_METRICS_EXPORTER: 'none,prometheus' };
    expect(readTelemetry(noMetrics).problems).toEqual([]);
  });

  it('name the variable of a file that is no certificate or key, and of half a pair', () => {
    const file = join(temporaryDirectory(), 'notes.txt');
    writeFileSync(file, '-----BEGIN PUBLIC KEY-----\nhunter2');
    const problemsOf = (name: string): readonly string[] =>
      readTelemetry({ ...endpoint, [`OTEL_EXPORTER_OTLP_${name}`]: file }).problems;
    expect(problemsOf('CERTIFICATE')).toEqual([
      'OTEL_EXPORTER_OTLP_CERTIFICATE names a file without a PEM certificate',
    ]);
    expect(problemsOf('CLIENT_CERTIFICATE')).toEqual([
      'OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE is of no use without its key',
      'OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE names a file without a PEM certificate',
    ]);
    expect(problemsOf('TRACES_CLIENT_KEY')).toEqual([
      'OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY is of no use without its certificate',
      'OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY names a file without a PEM private key',
    ]);
  });

  it('read certificates, and what the resource is called', () => {
    const file = join(temporaryDirectory(), 'ca.pem');
    const pem = '# of the house\n-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----\n';
    writeFileSync(file, pem);
    const { signals, resource } = readTelemetry({
      ...endpoint,
      OTEL_EXPORTER_OTLP_CERTIFICATE: file,
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=prod,service.name=x',
      OTEL_SERVICE_NAME: 'ledger',
    });
    expect(signals.metrics?.tls.ca?.toString()).toBe(pem);
    expect(Object.fromEntries(resource)).toEqual({
      'deployment.environment': 'prod',
      'service.name': 'ledger',
    });
  });
});
