/** A tree under witness: its command line and its collector, at a moment that does not pass. */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type CollectorProcess, startCollector } from '../bench/collector-process.ts';

/** After everything that is recorded; in the middle of a month, a week and a day. */
export const now = new Date('2026-12-16T12:00:00Z');

export interface Printed {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A ledger that a tree fills and answers from. */
export interface Subject {
  readonly tree: string;
  /** HOME of what is started; the ledger is below. */
  readonly home: string;
  /** Value of PI_LEDGER_STORE. */
  readonly store: string;
  /** Where its collector listens. */
  readonly port: number;
}

export interface Surroundings {
  /** Width of the terminal; none by default. */
  readonly columns?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

export function run(
  subject: Subject,
  argv: readonly string[],
  { columns, environment = {} }: Surroundings = {},
): Promise<Printed> {
  const width = columns === undefined ? {} : { WITNESS_COLUMNS: String(columns) };
  const child = spawn(process.execPath, [commandLineIn(subject.tree), ...argv], {
    cwd: subject.home,
    env: { ...surroundings(subject), ...width, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (part: Buffer) => stdout.push(part));
  child.stderr.on('data', (part: Buffer) => stderr.push(part));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) =>
      resolve({
        exitCode,
        stdout: Buffer.concat(stdout).toString(),
        stderr: Buffer.concat(stderr).toString(),
      }),
    );
  });
}

/** Throws with what it printed if it fails. */
export async function runOrThrow(subject: Subject, ...argv: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await run(subject, argv);
  if (exitCode === 0) return stdout;
  throw new Error(`pi-ledger ${argv.join(' ')} ended with ${exitCode}\n${stdout}\n${stderr}`);
}

export function startCollectorOf(subject: Subject): Promise<CollectorProcess> {
  const { PATH: _path, HOME: home, ...environment } = surroundings(subject);
  return startCollector({
    home,
    script: commandLineIn(subject.tree),
    store: subject.store,
    environment,
  });
}

function surroundings({ home, store, port }: Subject) {
  const ledgerHome = join(home, '.pi-ledger');
  mkdirSync(ledgerHome, { recursive: true });
  return {
    PATH: process.env.PATH ?? '',
    HOME: home,
    PI_LEDGER_HOME: ledgerHome,
    PI_LEDGER_STORE: store,
    PI_LEDGER_PORT: String(port),
    TZ: 'UTC',
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'frozen.mjs')}`,
    WITNESS_NOW: String(now.getTime()),
  };
}

function commandLineIn(tree: string): string {
  return join(tree, 'collector', 'bin', 'pi-ledger.mjs');
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  return address.port;
}
