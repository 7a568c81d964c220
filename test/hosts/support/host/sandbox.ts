/**
 * A fresh machine for one host: home, project, sessions and settings in a temporary folder, and an
 * environment that holds nothing of the one the tests run in.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FakeLlm } from '../llm/fake-llm.ts';
import { type Settings, writeHostConfig } from './host-config.ts';
import { type Host, hostsDirectory } from './hosts.ts';
import { killProcessesOf } from './processes.ts';
import { writeRgStandIn } from './rg-stand-in.ts';

export interface SandboxOptions {
  readonly host: Host;
  readonly llm: Pick<FakeLlm, 'port'>;
  /** Makes the project a git repository with a remote and a commit. */
  readonly git?: boolean | { readonly remote?: string; readonly branch?: string };
  /** Settings of the host that replace the sandbox's own, key by key. */
  readonly settings?: Settings;
}

/**
 * Contract: the folders exist until `dispose`, which first kills what still runs in the sandbox (a
 * bash tool's child outlives a killed host) and never throws for that. Two sandboxes share nothing
 * but the fake LLM server.
 */
export interface Sandbox {
  readonly host: Host;
  readonly root: string;
  readonly home: string;
  /** The project: working directory of every run unless told. Holds `notes.txt`. */
  readonly work: string;
  readonly sessions: string;
  /** `PI_LEDGER_HOME` of every run. */
  readonly ledgerHome: string;
  readonly env: Readonly<Record<string, string>>;
  dispose(): Promise<void>;
}

export function createSandbox({ host, llm, git = false, settings = {} }: SandboxOptions): Sandbox {
  const root = realpathSync(mkdtempSync(join(tmpdir(), `pi-ledger-${host.name}-`)));
  const at = (name: string): string => {
    mkdirSync(join(root, name), { recursive: true });
    return join(root, name);
  };
  const [home, work, sessions, ledgerHome] = [
    at('home'),
    at('work/project'),
    at('sessions'),
    join(root, 'ledger'),
  ];
  const env = environment(home, at('tmp'), ledgerHome);
  shareCompiledExtensions(host, join(root, 'tmp'));
  writeHostConfig(host, home, llm.port, settings);
  writeRgStandIn(host, home);
  writeFileSync(join(work, 'notes.txt'), 'alpha note\n');
  if (git) initRepository(work, env, git === true ? {} : git);
  return {
    host,
    root,
    home,
    work,
    sessions,
    ledgerHome,
    env,
    async dispose() {
      await killProcessesOf(home);
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}

/**
 * Only what a host needs. Nothing is inherited but the way to the system's programs. The one thing
 * that sandboxes share are caches of compiled code: with cold ones a host takes a second or two
 * longer to start.
 */
function environment(
  home: string,
  temporary: string,
  ledgerHome: string,
): Readonly<Record<string, string>> {
  return {
    PATH: [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    HOME: home,
    TMPDIR: temporary,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    TERM: 'dumb',
    PI_OFFLINE: '1',
    PI_TELEMETRY: '0',
    PI_SKIP_VERSION_CHECK: '1',
    PI_LEDGER_HOME: ledgerHome,
    NODE_COMPILE_CACHE: join(hostsDirectory, '.compiled', 'node'),
    BUN_RUNTIME_TRANSPILER_CACHE_PATH: join(hostsDirectory, '.compiled', 'bun'),
    // The last tier of the compiler: in runs this short it takes a fifth of a processor's time.
    BUN_JSC_useFTLJIT: '0',
    // Bytes below which little garbage is collected: a tenth of a start.
    BUN_JSC_smallHeapSize: '512000000',
  };
}

/**
 * pi compiles an extension's TypeScript at its first load, for 1 to 2 s, and keeps the result in
 * this folder, checked by its content.
 */
function shareCompiledExtensions({ name }: Host, temporary: string): void {
  const shared = join(hostsDirectory, '.compiled', `jiti-${name}`);
  mkdirSync(shared, { recursive: true });
  symlinkSync(shared, join(temporary, 'jiti'));
}

export function initRepository(
  work: string,
  env: Readonly<Record<string, string>>,
  options: { readonly remote?: string; readonly branch?: string },
): void {
  const { remote = 'https://git.example/acme/project.git', branch = 'main' } = options;
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, {
      cwd: work,
      env: { ...env, GIT_CONFIG_NOSYSTEM: '1' },
      stdio: 'pipe',
    });
  git('init', '--quiet', '--initial-branch', branch);
  git('remote', 'add', 'origin', remote);
  git('add', '.');
  git(
    '-c',
    'user.name=Lab',
    '-c',
    'user.email=lab@git.example',
    '-c',
    'commit.gpgsign=false',
    'commit',
    '--quiet',
    '-m',
    'Begin',
  );
}
