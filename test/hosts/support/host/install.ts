/**
 * Installs the real hosts from npm into the cache folder of the tests.
 *
 *     node test/hosts/support/host/install.ts            all hosts
 *     node test/hosts/support/host/install.ts pi087      some
 *
 * What is there already is left alone, so a warm run takes milliseconds.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Host, hosts, hostsDirectory, nodeVersionMin } from './hosts.ts';

export { type Host, hosts } from './hosts.ts';

const run = promisify(execFile);

const installTimeoutMs = 10 * 60_000;

export interface Installed {
  readonly host: Host;
  /**
   * `present`: already complete. `installed`: installed now. `other`: another process was faster.
   */
  readonly outcome: 'present' | 'installed' | 'other';
  readonly wallMs: number;
}

/**
 * Sequentially: two npm at once only compete for disk and cores. Throws if a host cannot be
 * installed.
 */
export async function ensureHosts(wanted: readonly Host[] = hosts): Promise<readonly Installed[]> {
  requireNode();
  const installed: Installed[] = [];
  for (const host of wanted) installed.push(await ensureHost(host));
  return installed;
}

/**
 * Contract: when it resolves, `host.directory` holds a complete installation whose command answered
 * `--version`. The work happens in a folder of this process and becomes visible by one rename, so a
 * broken install is never used and several processes may do this at the same time: the first rename
 * wins and the others throw theirs away.
 */
export async function ensureHost(host: Host): Promise<Installed> {
  const startedMs = performance.now();
  const done = (outcome: Installed['outcome']) => ({
    host,
    outcome,
    wallMs: performance.now() - startedMs,
  });
  if (isInstalled(host)) return done('present');
  await mkdir(hostsDirectory, { recursive: true });
  await sweep();
  const staging = await mkdtemp(join(hostsDirectory, `${stagingPrefix}${host.name}-`));
  try {
    await installInto(staging, host);
    return done((await publish(staging, host)) ? 'installed' : 'other');
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

export function isInstalled(host: Host): boolean {
  return existsSync(join(host.directory, markerName));
}

const stagingPrefix = '.staging-';

/** Written last, inside the staging folder. */
const markerName = 'installed.json';

async function installInto(staging: string, host: Host): Promise<void> {
  const manifest = {
    private: true,
    name: `host-${host.name}`,
    version: '0.0.0',
    dependencies: host.dependencies,
  };
  await writeFile(join(staging, 'package.json'), JSON.stringify(manifest, null, 2));
  await npm(staging, 'install', '--no-audit', '--no-fund');
  const version = await reportedVersion(staging, host);
  if (!version.includes(host.version))
    throw new Error(`${host.name} says it is "${version}", not ${host.version}`);
  const marker = {
    version: host.version,
    dependencies: host.dependencies,
    reported: version,
    node: process.version,
  };
  await writeFile(join(staging, markerName), JSON.stringify(marker, null, 2));
}

function npm(directory: string, ...args: readonly string[]) {
  const options = {
    cwd: directory,
    timeout: installTimeoutMs,
    env: installEnvironment(),
    maxBuffer: 16 << 20,
  };
  return run('npm', [...args, '--loglevel=error'], options);
}

/**
 * npm chooses versions, and runs install scripts, with the first `node` on the PATH: it must be
 * this one. Variables of an outer `npm run` and of the test runner must not reach them.
 */
function installEnvironment(): NodeJS.ProcessEnv {
  const foreign = new RegExp(
    '^npm_(?!config_)|^npm_config_(local_prefix|workspaces?|include_workspace_root)$|' +
      '^(INIT_CWD|NODE_OPTIONS)$',
    'i',
  );
  const kept = Object.entries(process.env).filter(([key]) => !foreign.test(key));
  return {
    ...Object.fromEntries(kept),
    PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}`,
  };
}

/**
 * Starts the staged host once: one that cannot print its version would fail every test less
 * clearly.
 */
async function reportedVersion(staging: string, host: Host): Promise<string> {
  const command = host.command.map((part) => part.replace(host.directory, staging));
  const home = join(staging, '.home');
  await mkdir(home);
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    PI_OFFLINE: '1',
    PI_TELEMETRY: '0',
    PI_SKIP_VERSION_CHECK: '1',
  };
  const [program = '', ...args] = command;
  const child = run(program, [...args, '--version'], { cwd: home, env, timeout: 60_000 });
  child.child.stdin?.end();
  const { stdout, stderr } = await child;
  await rm(home, { recursive: true, force: true });
  return `${stdout}${stderr}`.trim();
}

/** False when another process has published the same host in the meantime. */
async function publish(staging: string, host: Host): Promise<boolean> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      await rename(staging, host.directory);
      return true;
    } catch (error) {
      if (isInstalled(host)) return false;
      if (!existsSync(host.directory)) throw error;
      await setAside(host);
    }
  }
  throw new Error(`${host.directory} is in the way and cannot be moved`);
}

/** A folder without marker is foreign or damaged: it is renamed before it is deleted. */
async function setAside(host: Host): Promise<void> {
  const grave = await mkdtemp(join(hostsDirectory, `${stagingPrefix}${host.name}-`));
  await rename(host.directory, join(grave, 'it')).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rm(grave, { recursive: true, force: true });
}

/** Removes remains of killed installs: no install takes six times its limit. */
async function sweep(): Promise<void> {
  const names = await readdir(hostsDirectory);
  for (const path of names
    .filter((name) => name.startsWith(stagingPrefix))
    .map((name) => join(hostsDirectory, name))) {
    const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now());
    if (age > 6 * installTimeoutMs) await rm(path, { recursive: true, force: true });
  }
}

function requireNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const { major: majorMin, minor: minorMin } = nodeVersionMin;
  if (major < majorMin || (major === majorMin && minor < minorMin)) {
    throw new Error(`the hosts need Node >= ${majorMin}.${minorMin}, this is ${process.version}`);
  }
}

async function main(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !hosts.some((host) => host.name === name));
  if (unknown.length > 0) {
    console.error(
      `unknown host: ${unknown.join(', ')}; known: ${hosts.map(({ name }) => name).join(', ')}`,
    );
    process.exitCode = 2;
    return;
  }
  const wanted = names.length === 0 ? hosts : hosts.filter(({ name }) => names.includes(name));
  for (const { host, outcome, wallMs } of await ensureHosts(wanted)) {
    const marker: { reported?: string } = JSON.parse(
      await readFile(join(host.directory, markerName), 'utf8'),
    );
    const version = marker.reported ?? host.version;
    const seconds = (wallMs / 1000).toFixed(1);
    console.log(`${host.name}: ${host.package} ${version}, ${outcome}, ${seconds} s`);
  }
}

if (import.meta.main) await main(process.argv.slice(2));
