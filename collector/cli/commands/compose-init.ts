import { randomBytes } from 'node:crypto';
import { appendFileSync, closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type CliCommand, type Terminal, UsageError } from '../command.ts';

interface ComposeInitOptions {
  readonly file: string;
  readonly host?: string;
  readonly observability?: true;
  readonly organisation?: true;
}

/**
 * `pi-ledger compose-init`: draws the secrets of docker-compose.yml once, into a file that only its
 * owner can read. Never overwrites a file; options of profiles add to one what they need.
 */
export const composeInitCommand: CliCommand = {
  examples: {
    'compose-init': [
      ['pi-ledger compose-init', 'write .env for docker compose'],
      ['pi-ledger compose-init --observability', 'with Grafana, or add it to a .env'],
      ['pi-ledger compose-init --organisation', 'with gateways and Kafka, or add them'],
    ],
  },
  define(program, terminal, exit) {
    program
      .command('compose-init')
      .description('write the passwords that docker-compose.yml needs to a new .env')
      .option('--file <path>', 'the file to write', '.env')
      .option('--host <name>', 'the host name under which others reach the collector')
      .option('--observability', 'also what its profile observability needs; added to a .env')
      .option('--organisation', 'also what its profile organisation needs; added to a .env')
      .action(async (options: ComposeInitOptions) => {
        await writeEnvironment(options, terminal);
        exit(0);
      });
  },
};

async function writeEnvironment(options: ComposeInitOptions, terminal: Terminal): Promise<void> {
  const { file, host } = options;
  const { isHost } = await import('../../config/host.ts');
  if (host !== undefined && !isHost(host))
    throw new UsageError(
      `--host: expected a host name or an address without a port, got "${host}"`,
    );
  const path = resolve(file);
  const profiles = composeProfiles.filter(({ name }) => options[name]);
  if (profiles.length > 0 && host === undefined && addProfiles(path, profiles))
    for (const { added } of profiles) terminal.print(`${path} has ${added} now.`);
  else {
    const texts = profiles.map((profile) => toText(profile.draw()));
    writeNew(path, environmentOf(host) + texts.join(''));
    terminal.print(
      `${path} holds new passwords; only you can read it. Keep it: the database gets them when ` +
        'it starts for the first time.',
    );
    terminal.print(
      'Next: docker compose run --rm collector token create --user NAME --scope admin',
    );
  }
  for (const { next } of profiles) if (next !== null) terminal.print(next(file));
  const started = profiles.map(({ name }) => `--profile ${name} `).join('');
  terminal.print(`Then: docker compose ${started}up --detach`);
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

function toText(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/** False: there is no such file. Changes none of its lines. */
function addProfiles(path: string, profiles: readonly ComposeProfile[]): boolean {
  const text = named(path, () => readIfThere(path));
  if (text === null) return false;
  const drawn = profiles.map((profile) => profile.draw());
  const names = drawn.flatMap((variables) => Object.keys(variables));
  const set = names.find((name) => new RegExp(`^${name}=`, 'm').test(text));
  if (set !== undefined) throw new UsageError(`${path} already has ${set}, so it is left alone.`);
  const separator = text === '' || text.endsWith('\n') ? '' : '\n';
  named(path, () => appendFileSync(path, separator + drawn.map(toText).join('')));
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

// What the profiles of docker-compose.yml need in `.env`, beside what all need.

interface ComposeProfile {
  readonly name: 'observability' | 'organisation';
  /** What a file has when it was added, in words. */
  readonly added: string;
  /** New variables, in the order in which they are written. */
  draw(): Readonly<Record<string, string>>;
  /** A command before the profile is started, by the file's name. */
  readonly next: ((file: string) => string) | null;
}

/** Written as hexadecimal digits, which need no escaping in a URL. */
const passwordBytes = 32;

function drawPassword(): string {
  return randomBytes(passwordBytes).toString('hex');
}

/** Services and users by their names in docker-compose.yml. */
const composeProfiles: readonly ComposeProfile[] = [
  {
    name: 'observability',
    added: "Grafana's password, and where to send telemetry,",
    draw: () => ({
      GRAFANA_ADMIN_PASSWORD: drawPassword(),
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel-collector:4318',
    }),
    next: (file) =>
      'Then: echo "GRAFANA_TOKEN=$(docker compose run --rm -T collector token create ' +
      `--user grafana --scope read)" >> ${file}`,
  },
  {
    name: 'organisation',
    added: "Kafka's password, and who takes events in,",
    draw() {
      const password = drawPassword();
      return {
        KAFKA_PASSWORD: password,
        PI_LEDGER_KAFKA: `kafka://pi_ledger:${password}@kafka:9092`,
        PI_LEDGER_ROLE: 'worker',
        PI_LEDGER_INTAKE: 'gateway-1:7717 gateway-2:7717',
        PI_LEDGER_UPSTREAM: 'collector:7717 worker:7717',
      };
    },
    next: null,
  },
];
