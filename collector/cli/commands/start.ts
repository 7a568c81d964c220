import type { AccessConfig } from '../../config/access.ts';
import type { CollectorConfig } from '../../config/config.ts';
import { shownEndpoint } from '../../exporters/otlp/endpoint.ts';
import { installNotes } from '../client/install-notes.ts';
import { type CliCommand, type ExitCode, type Terminal, UsageError } from '../command.ts';
import { sayLine } from '../output/wrap.ts';
import { asCalled, ownLine } from '../own-line.ts';
import { sayPage } from '../own-page.ts';

/** `pi-ledger start`: runs the collector until it is stopped. */
export const startCommand: CliCommand = {
  examples: {
    start: [
      ['pi-ledger start', 'collect, on the configured port'],
      ['pi-ledger start --port 8000', 'on another port'],
    ],
  },
  define(program, terminal, exit) {
    program
      .command('start')
      .description('run the collector')
      .option('--port <n>', 'listen on this port (0: any that is free)', expectPort)
      .action(async ({ port }: { readonly port?: number }) => {
        exit(await runCollector(terminal, port));
      });
  },
};

/** Until it is stopped. `port` wins over the settings. */
export async function runCollector(terminal: Terminal, port?: number): Promise<ExitCode> {
  const { loadCollectorConfig } = await import('../../config/config.ts');
  const { plainSecrets } = await import('../../config/plain-secrets.ts');
  const { createImportProgress } = await import('../output/import-progress.ts');
  const { startCollector } = await import('../../main.ts');
  const set = loadCollectorConfig(terminal.env);
  const config = port === undefined ? set : { ...set, port };
  for (const doubt of config.doubts) terminal.complain(`Settings: ${doubt}`);
  for (const secret of plainSecrets(config)) terminal.complain(`Settings: ${secret}`);
  const collector = await startCollector(config, {
    logStream: { write: (line) => terminal.complain(line.trimEnd()) },
    sessions: {
      environment: terminal.env,
      print: (line) => terminal.print(asCalled(terminal, line)),
      progress: terminal.showProgress === null ? null : createImportProgress(terminal),
    },
  });
  terminal.print(`pi-ledger listens on ${collector.url}`);
  if (config.role !== 'gateway') sayPage(terminal, collector.url);
  await sayWhoMayAsk(config, terminal);
  sayWhatIsExported(config, terminal);
  for (const line of roleLines(config, terminal)) sayLine(terminal, line);
  for (const { text, next } of await installNotes(terminal)) sayLine(terminal, `${text}: ${next}`);
  return (await collector.stopped) ? 0 : 1;
}

function roleLines({ role, kafka }: CollectorConfig, terminal: Terminal): string[] {
  const brokers = `Kafka at ${kafka?.brokers.join(', ') ?? 'no address'}`;
  const stopping = 'Ctrl-C stops it; nothing is lost while it is stopped.';
  if (role === 'gateway') return [`It hands events on to ${brokers}. ${stopping}`];
  if (role === 'worker') return [`It takes in events from ${brokers}. ${stopping}`];
  return [
    `Work as usual, then run \`${ownLine(terminal, 'report')}\`. ` +
      'Ctrl-C stops the collector; nothing is lost while it is stopped.',
  ];
}

function sayWhatIsExported({ telemetry }: CollectorConfig, terminal: Terminal): void {
  const lines = Object.entries(telemetry.signals).flatMap(([signal, settings]) =>
    settings === null
      ? []
      : [`Exports ${signal} by OTLP (${settings.protocol}) to ${shownEndpoint(settings.url)}`],
  );
  for (const line of lines) terminal.print(line);
}

const portMax = 65_535;

function expectPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= portMax) return port;
  throw new UsageError(`--port: expected a whole number from 0 to ${portMax}, got "${text}"`);
}

async function sayWhoMayAsk(config: AccessConfig, terminal: Terminal): Promise<void> {
  const { asksForTokens } = await import('../../config/access.ts');
  const { isLoopback } = await import('../../config/host.ts');
  if (!asksForTokens(config)) return;
  const isWildcard = config.address === '0.0.0.0' || config.address === '::';
  const names = [...(isWildcard ? [] : [config.address]), ...config.hosts];
  const byNames =
    names.length === 0
      ? 'local names only (list others in "hosts" in config.json)'
      : names.join(', ');
  terminal.print(`It listens on ${config.address}, requires a token, and answers to ${byNames}.`);
  if (!isLoopback(config.address) && config.tls === null)
    terminal.complain(
      'Tokens travel unencrypted on that address: set "tls" in config.json, or listen on a ' +
        'loopback address behind a proxy with TLS.',
    );
}
