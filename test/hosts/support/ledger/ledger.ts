/**
 * The ledger of a sandbox, as a user has it: the extension's file, the collector as a process, the
 * commands as processes. Or that of another machine, which the sandbox's hosts only know by its
 * address.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { waitMsMax } from '../../../support/bounds.ts';
import { type HostProcess, type HostRun, startProcess } from '../host/processes.ts';
import type { Sandbox } from '../host/sandbox.ts';
import { freePort } from '../machine/ports.ts';
import { parseReport, type UsageReport } from './ledger-report.ts';
import { createLedgerStore, type LedgerStore } from './ledger-store.ts';

export const repositoryRoot = resolve(import.meta.dirname, '..', '..', '..', '..');

/** The argument for a host's `-e`: what its package names. */
export const extension = join(repositoryRoot, 'extension', 'load.cjs');

/** The command line of this checkout. */
export const ownCli = join(repositoryRoot, 'collector', 'bin', 'pi-ledger.mjs');

/**
 * Contract: the home and its `config.json` (the port, so that extension, collector and commands
 * agree) are there from the start; nothing runs until `start`. At most one collector runs at a
 * time. What still runs ends with the sandbox.
 */
export interface Ledger {
  readonly home: string;
  readonly url: string;
  readonly store: LedgerStore;
  readonly spoolDirectory: string;
  /**
   * Resolves when the collector listens; rejects if it ends first or takes longer than
   * `waitMsMax`.
   */
  start(): Promise<void>;
  /** Starts it without waiting: for a kill during its start. */
  launch(): HostProcess;
  isRunning(): boolean;
  /**
   * SIGTERM; resolves with how it ended, immediately if none runs. Rejects if the last one ended
   * before anybody asked it to.
   */
  stop(): Promise<HostRun | null>;
  /** SIGKILL; resolves when it is gone. Rejects as `stop` does. */
  kill(): Promise<void>;
  /** Runs `pi-ledger` with these arguments to its end. */
  run(...args: readonly string[]): Promise<HostRun>;
  /** `report --json`, which must succeed. */
  report(...args: readonly string[]): Promise<UsageReport>;
}

export type LedgerSettings = Readonly<Record<string, unknown>>;

/** Longer than any test may take: it only ends what the end of the tests' process did not. */
const collectorMsMax = 3_600_000;

/** What a ledger needs of a machine. */
export type LedgerMachine = Pick<Sandbox, 'home' | 'env' | 'ledgerHome'>;

export async function createLedger(
  sandbox: LedgerMachine,
  settings: LedgerSettings = {},
  home = sandbox.ledgerHome,
  cli = ownCli,
): Promise<Ledger> {
  const port = await freePort();
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const store = createLedgerStore(home);
  writeFileSync(
    join(home, 'config.json'),
    JSON.stringify({ port, ...storeSetting(store), ...settings }),
  );
  let collector: HostProcess | null = null;
  let asked: HostProcess | null = null;
  let endedUnasked: string | null = null;

  const spawn = (args: readonly string[], timeoutMs: number) =>
    startProcess([process.execPath, cli, ...args], {
      cwd: sandbox.home,
      env: { ...sandbox.env, PI_LEDGER_HOME: home },
      timeoutMs,
    });

  function launch(): HostProcess {
    if (collector !== null) throw new Error('a collector runs already');
    const started = spawn(['start'], collectorMsMax);
    collector = started;
    const ended = (how: string) => {
      if (collector === started) collector = null;
      if (asked !== started) endedUnasked = how;
    };
    started.done.then(
      (run) => ended(JSON.stringify(run)),
      (error: Error) => ended(error.message),
    );
    return started;
  }

  async function end(signal: NodeJS.Signals): Promise<HostRun | null> {
    const how = endedUnasked;
    endedUnasked = null;
    if (how !== null) throw new Error(`The collector ended before it was asked to: ${how}`);
    asked = collector;
    collector?.kill(signal);
    return collector === null ? null : collector.done;
  }

  async function report(...args: readonly string[]): Promise<UsageReport> {
    const { exitCode, stdout, stderr } = await spawn(['report', '--json', ...args], waitMsMax).done;
    if (exitCode !== 0)
      throw new Error(`report ${args.join(' ')} ended with ${exitCode}: ${stderr}`);
    return parseReport(stdout);
  }

  return {
    home,
    url: `http://127.0.0.1:${port}`,
    store,
    spoolDirectory: join(home, 'spool'),
    launch,
    isRunning: () => collector !== null,
    start: () => untilItListens(launch()),
    stop: () => end('SIGTERM'),
    async kill() {
      await end('SIGKILL');
    },
    run: (...args) => spawn(args, waitMsMax).done,
    report,
  };
}

/** The default is left out: most tests should run like users who do not set it. */
function storeSetting({ location }: LedgerStore): LedgerSettings {
  return location.startsWith('sqlite:') ? {} : { store: location };
}

function untilItListens(collector: HostProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`no collector within ${waitMsMax} ms`)),
      waitMsMax,
    );
    let output = '';
    collector.child.stdout?.on('data', (text: string) => {
      output += text;
      if (output.includes('listens on')) resolve();
    });
    const ended = (how: string) =>
      reject(new Error(`the collector ended instead of listening: ${how}`));
    collector.done.then(
      ({ exitCode, stderr }) => ended(`${exitCode} ${stderr}`),
      (error: Error) => ended(error.message),
    );
    collector.done.finally(() => clearTimeout(timer)).catch(() => undefined);
  });
}
