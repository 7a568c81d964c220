import { randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type CliCommand, type Terminal, UsageError } from '../command.ts';

interface ComposeInitOptions {
  readonly file: string;
  readonly host?: string;
}

/** Written as hexadecimal digits, which need no escaping in a URL. */
const passwordBytes = 32;

/**
 * `pi-ledger compose-init`: draws the secrets of docker-compose.yml once, into a file that only its
 * owner can read. Never overwrites a file.
 */
export const composeInitCommand: CliCommand = {
  examples: {
    'compose-init': [['pi-ledger compose-init', 'write .env for docker compose']],
  },
  define(program, terminal, exit) {
    program
      .command('compose-init')
      .description('write the passwords that docker-compose.yml needs to a new .env')
      .option('--file <path>', 'the file to write', '.env')
      .option('--host <name>', 'the host name under which others reach the collector')
      .action(async (options: ComposeInitOptions) => {
        await writeEnvironment(options, terminal);
        exit(0);
      });
  },
};

async function writeEnvironment(
  { file, host }: ComposeInitOptions,
  terminal: Terminal,
): Promise<void> {
  const { isHost } = await import('../../config/access.ts');
  if (host !== undefined && !isHost(host))
    throw new UsageError(
      `--host: expected a host name or an address without a port, got "${host}"`,
    );
  const path = resolve(file);
  writeNew(path, environmentOf(host));
  terminal.print(
    `${path} holds new passwords; only you can read it. Keep it: the database gets them when it ` +
      'starts for the first time.',
  );
  terminal.print('Next: docker compose run --rm collector token create --user NAME --scope admin');
  terminal.print('Then: docker compose up --detach');
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

function drawPassword(): string {
  return randomBytes(passwordBytes).toString('hex');
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
