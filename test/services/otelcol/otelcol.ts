/** An OpenTelemetry Collector of a test's own: what arrives is in a file, metrics on a page too. */
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../hosts/support/machine/ports.ts';
import { eventually } from '../../support/eventually.ts';
import { ownedCommand } from '../owned-command.ts';
import { createServerProcess } from '../server-process.ts';
import { otelPrograms } from './otel-programs.ts';
import { type Received, receivedIn } from './received.ts';

export interface Otelcol {
  /** `OTEL_EXPORTER_OTLP_ENDPOINT` for http/protobuf. */
  readonly httpUrl: string;
  /** The same for gRPC. */
  readonly grpcUrl: string;
  /** Where Prometheus scrapes what arrived: host and port. */
  readonly metricsAddress: string;
  /** What it has written so far, in the order of arrival. */
  received(): Received;
  /** Whoever sends meanwhile finds nobody; its file stays. */
  stop(): Promise<void>;
  /** On the same ports, and on with the same file. */
  start(): Promise<void>;
}

export interface OtelcolOptions {
  /** Asks for TLS with this certificate and key (paths of PEM files). */
  readonly tls?: { readonly certPath: string; readonly keyPath: string };
}

/** Its files go into `directory`, which the caller removes after `stop`. */
export async function startOtelcol(
  directory: string,
  { tls }: OtelcolOptions = {},
): Promise<Otelcol> {
  mkdirSync(directory, { recursive: true });
  const [http, grpc, metrics, health] = await fourPorts();
  const out = join(directory, 'received.ndjson');
  closeSync(openSync(out, 'a'));
  const configs = ['config.yaml', ...(tls === undefined ? [] : ['tls.yaml'])];
  const server = createServerProcess({
    command: ownedCommand([
      otelPrograms().otelcol,
      ...configs.map((name) => `--config=${fileURLToPath(new URL(name, import.meta.url))}`),
    ]),
    logPath: join(directory, 'otelcol.log'),
    env: {
      OTELCOL_HTTP_PORT: String(http),
      OTELCOL_GRPC_PORT: String(grpc),
      OTELCOL_METRICS_PORT: String(metrics),
      OTELCOL_HEALTH_PORT: String(health),
      OTELCOL_OUT: out,
      OTELCOL_CERT: tls?.certPath ?? '',
      OTELCOL_KEY: tls?.keyPath ?? '',
    },
  });
  const start = async (): Promise<void> => {
    server.start();
    await eventually(
      async () => {
        if (!server.isRunning()) throw new Error(readFileSync(server.logPath, 'utf8'));
        const { status } = await fetch(`http://127.0.0.1:${health}/`);
        if (status !== 200) throw new Error(`not ready: ${status}`);
      },
      { intervalMs: 25 },
    );
  };
  await start();
  const scheme = tls === undefined ? 'http' : 'https';
  return {
    httpUrl: `${scheme}://127.0.0.1:${http}`,
    grpcUrl: `${scheme}://127.0.0.1:${grpc}`,
    metricsAddress: `127.0.0.1:${metrics}`,
    received: () => receivedIn(out),
    start,
    stop: () => server.end('SIGTERM'),
  };
}

async function fourPorts(): Promise<readonly [number, number, number, number]> {
  const ports = new Set<number>();
  while (ports.size < 4) ports.add(await freePort());
  const [a = 0, b = 0, c = 0, d = 0] = ports;
  return [a, b, c, d];
}
