/** A new user: an empty home, an empty folder, one Node, and typed commands. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type HostProcess,
  type HostRun,
  killProcessesOf,
  startProcess,
} from '../../hosts/support/host/processes.ts';
import { freePort } from '../../hosts/support/machine/ports.ts';
import { npmEnvironment, systemPath } from './npm.ts';

const commandMsMax = 300_000;

/**
 * Contract: the folders are empty except for a `config.json` with a free port; `dispose` ends
 * running processes and removes the folders.
 */
export interface Newcomer {
  readonly home: string;
  readonly folder: string;
  readonly ledgerHome: string;
  readonly env: Readonly<Record<string, string>>;
  /** Starts a program in the folder. */
  start(...command: readonly string[]): HostProcess;
  /** Runs it to its end. Rejects, with its output, unless it ends with 0. */
  run(...command: readonly string[]): Promise<HostRun>;
  dispose(): Promise<void>;
}

export async function createNewcomer(nodeDirectory: string): Promise<Newcomer> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'pi-ledger-newcomer-')));
  const [home, folder, ledgerHome] = ['home', 'folder', 'home/.pi-ledger'].map((name) =>
    join(root, name),
  ) as [string, string, string];
  for (const path of [folder, ledgerHome]) mkdirSync(path, { recursive: true, mode: 0o700 });
  writeFileSync(join(ledgerHome, 'config.json'), JSON.stringify({ port: await freePort() }));
  const inherited = npmEnvironment();
  const npm_config_cache = cacheIn(root, inherited.npm_config_cache);
  const env = {
    ...inherited,
    npm_config_cache,
    HOME: home,
    TMPDIR: root,
    TZ: 'UTC',
    PATH: [nodeDirectory, ...systemPath()].join(':'),
  };
  const start = (...command: readonly string[]) =>
    startProcess(command, { cwd: folder, env, timeoutMs: commandMsMax });
  return {
    home,
    folder,
    ledgerHome,
    env,
    start,
    async run(...command) {
      const ended = await start(...command).done;
      if (ended.exitCode === 0) return ended;
      const output = `${ended.stderr.slice(-2000)}\n${ended.stdout.slice(-2000)}`;
      throw new Error(`${command.join(' ')} ended with ${ended.exitCode}: ${output}`);
    },
    async dispose() {
      await killProcessesOf(home);
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}

/**
 * Shares npm's downloads. npx's earlier installs are kept elsewhere, because they would be taken
 * for today's package.
 */
function cacheIn(root: string, shared = ''): string {
  const own = join(root, 'cache');
  mkdirSync(own);
  mkdirSync(join(shared, '_cacache'), { recursive: true });
  symlinkSync(join(shared, '_cacache'), join(own, '_cacache'));
  return own;
}

/** Resolves when the process has printed this on stdout; rejects if it ends before. */
export function hasSaid(started: HostProcess, words: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    started.child.stdout?.on('data', (text: string) => {
      said += text;
      if (words.test(said)) resolve(said);
    });
    started.done.then(
      ({ exitCode, stderr }) => reject(new Error(`it ended with ${exitCode}: ${said}${stderr}`)),
      reject,
    );
  });
}
