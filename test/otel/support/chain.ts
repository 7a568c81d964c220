/**
 * What a platform team has: a ledger that exports by the standard variables, an OpenTelemetry
 * Collector that takes it, a Prometheus that scrapes that collector and the ledger's own page.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { killProcessesOf } from '../../hosts/support/host/processes.ts';
import {
  createLedger,
  type Ledger,
  type LedgerMachine,
} from '../../hosts/support/ledger/ledger.ts';
import { type Otelcol, type OtelcolOptions, startOtelcol } from '../../services/otelcol/otelcol.ts';
import { type Prometheus, startPrometheus } from '../../services/prometheus/prometheus.ts';

export interface Chain {
  readonly directory: string;
  readonly otelcol: Otelcol;
  /** Its job `page` is the ledger's own page; what comes by OTLP has the job of its service. */
  readonly prometheus: Prometheus;
  /** Configured, not started. */
  readonly ledger: Ledger;
  /** With the variables by which the ledger exports: for another one beside it. */
  readonly machine: LedgerMachine;
  /** Ends everything and removes its files. */
  close(): Promise<void>;
}

export interface ChainOptions extends OtelcolOptions {
  /** Whose hosts the ledger listens to. Default: a machine without any. */
  readonly machine?: LedgerMachine;
  /** Variables of the ledger's processes beside those that name the endpoint. */
  readonly env?: Readonly<Record<string, string>>;
  readonly protocol?: 'http/protobuf' | 'grpc';
  /** Settings in `config.json`. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

export async function startChain(options: ChainOptions = {}): Promise<Chain> {
  const { env = {}, protocol = 'http/protobuf', settings = {} } = options;
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'pi-ledger-otel-')));
  const otelcol = await startOtelcol(join(directory, 'otelcol'), options);
  const bare = options.machine ?? emptyMachine(directory);
  const exporting = {
    OTEL_EXPORTER_OTLP_ENDPOINT: protocol === 'grpc' ? otelcol.grpcUrl : otelcol.httpUrl,
    OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
    OTEL_METRIC_EXPORT_INTERVAL: '500',
  };
  const machine = { ...bare, env: { ...bare.env, ...exporting, ...env } };
  const ledger = await createLedger(machine, settings);
  const prometheus = await startPrometheus(join(directory, 'prometheus'), {
    targets: [
      { job: 'otelcol', address: otelcol.metricsAddress },
      { job: 'page', address: new URL(ledger.url).host, honorsLabels: false },
    ],
  });
  return {
    directory,
    otelcol,
    prometheus,
    ledger,
    machine,
    async close() {
      await ledger.stop();
      await killProcessesOf(machine.home);
      await prometheus.stop();
      await otelcol.stop();
      rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}

function emptyMachine(directory: string): LedgerMachine {
  const home = join(directory, 'home');
  mkdirSync(home);
  return {
    home,
    ledgerHome: join(directory, 'ledger'),
    env: {
      PATH: [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
      HOME: home,
      TMPDIR: directory,
      LANG: 'C.UTF-8',
      TZ: 'UTC',
    },
  };
}

/** The demo month becomes the ledger's store, as if it had been recorded here. */
export async function fillWithDemoMonth(ledger: Ledger): Promise<void> {
  const { exitCode, stderr } = await ledger.run(
    'demo',
    '--data-only',
    join(ledger.home, 'ledger.db'),
  );
  if (exitCode !== 0) throw new Error(`demo ended with ${exitCode}: ${stderr}`);
}
