import { randomBytes } from 'node:crypto';
import { appendFileSync, closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type CliCommand, type Terminal, UsageError } from '../command.ts';

interface ComposeInitOptions {
  readonly file: string;
  readonly host?: string;
  readonly observability?: true;
}

/** Written as hexadecimal digits, which need no escaping in a URL. */
const passwordBytes = 32;

/** The profile's own OpenTelemetry Collector, by its name in docker-compose.yml. */
const otlpEndpoint = 'http://otel-collector:4318';

/**
 * `pi-ledger compose-init`: draws the secrets of docker-compose.yml once, into a file that only its
 * owner can read. Never overwrites a file; `--observability` adds to one what that profile needs.
 */
export const composeInitCommand: CliCommand = {
  examples: {
    'compose-init': [
      ['pi-ledger compose-init', 'write .env for docker compose'],
      ['pi-ledger compose-init --observability', 'with Grafana, or add it to a .env'],
    ],
  },
  define(program, terminal, exit) {
    program
      .command('compose-init')
      .description('write the passwords that docker-compose.yml needs to a new .env')
      .option('--file <path>', 'the file to write', '.env')
      .option('--host <name>', 'the host name under which others reach the collector')
      .option('--observability', 'also what its profile observability needs; added to a .env')
      .action(async (options: ComposeInitOptions) => {
        await writeEnvironment(options, terminal);
        exit(0);
      });
  },
};

async function writeEnvironment(
  { file, host, observability }: ComposeInitOptions,
  terminal: Terminal,
): Promise<void> {
  const { isHost } = await import('../../config/host.ts');
  if (host !== undefined && !isHost(host))
    throw new UsageError(
      `--host: expected a host name or an address without a port, got "${host}"`,
    );
  const path = resolve(file);
  if (observability && host === undefined && addObservability(path))
    terminal.print(`${path} has Grafana's password now, and where to send telemetry.`);
  else {
    writeNew(path, environmentOf(host) + (observability ? observabilityOf() : ''));
    terminal.print(
      `${path} holds new passwords; only you can read it. Keep it: the database gets them when ` +
        'it starts for the first time.',
    );
    terminal.print(
      'Next: docker compose run --rm collector token create --user NAME --scope admin',
    );
  }
  if (observability) {
    terminal.print(
      'Then: echo "GRAFANA_TOKEN=$(docker compose run --rm -T collector token create ' +
        `--user grafana --scope read)" >> ${file}`,
    );
    terminal.print('Then: docker compose --profile observability up --detach');
  } else terminal.print('Then: docker compose up --detach');
}

function environmentOf(host = ''): string {
  return [
    '# Made by `pi-ledger compose-init`; .env.example explains each variable.',
    `MONGODB_ROOT_PASSWORD=${drawPassword()}`,
    `MONGODB_PASSWORD=${drawPassword()}`,
    `PI_LEDGER_HOSTS=${host}`,
    '',
  ].join('\n');
}

function observabilityOf(): string {
  return [
    `GRAFANA_ADMIN_PASSWORD=${drawPassword()}`,
    `OTEL_EXPORTER_OTLP_ENDPOINT=${otlpEndpoint}`,
    '',
  ].join('\n');
}

function drawPassword(): string {
  return randomBytes(passwordBytes).toString('hex');
}

/** False: there is no such file. Changes none of its lines. */
function addObservability(path: string): boolean {
  const text = named(path, () => readIfThere(path));
  if (text === null) return false;
  const set = /^(GRAFANA_ADMIN_PASSWORD|OTEL_EXPORTER_OTLP_ENDPOINT)=/m.exec(text)?.[1];
  if (set !== undefined) throw new UsageError(`${path} already has ${set}, so it is left alone.`);
  const separator = text === '' || text.endsWith('\n') ? '' : '\n';
  named(path, () => appendFileSync(path, separator + observabilityOf()));
  return true;
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

function writeNew(path: string, content: string): void {
  const file = named(path, () => openSync(path, 'wx', 0o600));
  try {
    named(path, () => writeFileSync(file, content));
  } catch (error) {
    // No database uses these passwords yet, and the file would block the next try.
    rmSync(path);
    throw error;
  } finally {
    closeSync(file);
  }
}

function named<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new UsageError(
        `${path} already exists. A database may use its passwords, so it is left alone.`,
      );
    throw new UsageError(`${path} cannot be written (${code})`);
  }
}
