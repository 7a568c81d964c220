import { randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type CliCommand, type Terminal, UsageError } from '../command.ts';

interface ComposeInitOptions {
  readonly file: string;
  readonly host?: string;
}

/** As hexadecimal digits, which stand in a URL as they are. */
const passwordBytes = 32;

/**
 * `pi-ledger compose-init`: the secrets of docker-compose.yml, drawn once, in a file for its owner
 * alone. Writes over nothing.
 */
export const composeInitCommand: CliCommand = {
  define(program, terminal, exit) {
    program
      .command('compose-init')
      .description('draw the passwords that docker-compose.yml needs, and write them to a new .env')
      .option('--file <path>', 'where to', '.env')
      .option('--host <name>', 'the name by which others ask the collector')
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
    `${path} has new passwords, for you alone to read. Keep it: the database is made with them at its first start.`,
  );
  terminal.print('Next: docker compose run --rm collector token create --user NAME --scope admin');
  terminal.print('Then: docker compose up --detach');
}

function environmentOf(host = ''): string {
  return [
    '# Made by `pi-ledger compose-init`; .env.example says what each is.',
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
    // No database was made with what is in it, and it would stand in the way of the next one.
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
        `${path} exists already: its passwords may be those of a database, so it stays as it is.`,
      );
    throw new UsageError(`${path} cannot be written (${code})`);
  }
}
