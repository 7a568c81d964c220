/** A Prometheus of a test's own, which scrapes four times a second. Its answers by the HTTP API. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../hosts/support/machine/ports.ts';
import { eventually } from '../../support/eventually.ts';
import { otelPrograms } from '../otelcol/otel-programs.ts';
import { ownedCommand } from '../owned-command.ts';
import { createServerProcess } from '../server-process.ts';

const run = promisify(execFile);

export interface Prometheus {
  readonly url: string;
  /** An instant vector now. Values are decimal texts, as Prometheus prints them. */
  query(promql: string): Promise<readonly Sample[]>;
  /** Every sample that was stored, series by series, as a range selector gives them. */
  samples(selector: string): Promise<readonly Series[]>;
  /** An answer of the API: the content of `data`. Throws what Prometheus says of a mistake. */
  ask(path: string, parameters?: Readonly<Record<string, string>>): Promise<unknown>;
  stop(): Promise<void>;
}

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly labels: Labels;
  readonly value: string;
}

interface Series {
  readonly labels: Labels;
  /** Times in seconds. */
  readonly values: readonly (readonly [number, string])[];
}

export interface PrometheusOptions {
  /** What it scrapes: host and port. */
  readonly targets: readonly ScrapeTarget[];
  /** Paths of files with rules. */
  readonly rulePaths?: readonly string[];
}

interface ScrapeTarget {
  readonly job: string;
  readonly address: string;
  readonly path?: string;
  /** False: the target's own `job` and `instance` become `exported_job` and so on. */
  readonly honorsLabels?: boolean;
}

/** Its data goes into `directory`, which the caller removes after `stop`. */
export async function startPrometheus(
  directory: string,
  options: PrometheusOptions,
): Promise<Prometheus> {
  mkdirSync(directory, { recursive: true });
  const port = await freePort();
  const config = join(directory, 'prometheus.json');
  writeFileSync(config, JSON.stringify(configOf(options)));
  const server = createServerProcess({
    command: ownedCommand([
      otelPrograms().prometheus,
      `--config.file=${config}`,
      `--storage.tsdb.path=${dataDirectory(directory)}`,
      '--storage.tsdb.retention.time=10y',
      `--web.listen-address=127.0.0.1:${port}`,
    ]),
    logPath: join(directory, 'prometheus.log'),
  });
  server.start();
  const url = `http://127.0.0.1:${port}`;
  await eventually(
    async () => {
      if (!server.isRunning()) throw new Error(readFileSync(server.logPath, 'utf8'));
      const { status } = await fetch(`${url}/-/ready`);
      if (status !== 200) throw new Error(`not ready: ${status}`);
    },
    { intervalMs: 25 },
  );
  return { ...apiOf(url), stop: () => server.end('SIGTERM') };
}

/** Where `promtool tsdb create-blocks-from` puts its blocks, before the start. */
export function dataDirectory(directory: string): string {
  return join(directory, 'data');
}

/** Resolves with what it printed; rejects with what it complains of. */
export async function promtool(...args: readonly string[]): Promise<string> {
  const { stdout } = await run(otelPrograms().promtool, args, { maxBuffer: 64 << 20 });
  return stdout;
}

/** JSON is YAML. */
function configOf({ targets, rulePaths = [] }: PrometheusOptions): unknown {
  return {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: rulePaths,
    scrape_configs: targets.map(({ job, address, path = '/metrics', honorsLabels = true }) => ({
      job_name: job,
      honor_labels: honorsLabels,
      metrics_path: path,
      static_configs: [{ targets: [address] }],
    })),
  };
}

interface RawResult {
  readonly result: readonly {
    readonly metric: Labels;
    readonly value: readonly [number, string];
    readonly values: readonly (readonly [number, string])[];
  }[];
}

function apiOf(url: string): Omit<Prometheus, 'stop'> {
  async function ask<T = unknown>(
    path: string,
    parameters: Readonly<Record<string, string>> = {},
  ): Promise<T> {
    const response = await fetch(`${url}/api/v1/${path}?${new URLSearchParams(parameters)}`);
    const body: Readonly<{ status: string; error?: string; data: T }> = JSON.parse(
      await response.text(),
    );
    if (body.status !== 'success') throw new Error(`${path}: ${body.error}`);
    return body.data;
  }
  return {
    url,
    ask,
    async query(promql) {
      const { result } = await ask<RawResult>('query', { query: promql });
      return result.map(({ metric, value }) => ({ labels: metric, value: value[1] }));
    },
    async samples(selector) {
      const { result } = await ask<RawResult>('query', { query: `${selector}[10y]` });
      return result.map(({ metric, values }) => ({ labels: metric, values }));
    },
  };
}
