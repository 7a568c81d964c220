/**
 * Installs the real hosts from npm into the cache folder of the tests.
 *
 *     node test/hosts/support/host/install.ts            all hosts
 *     node test/hosts/support/host/install.ts pi087      some
 *
 * What is there already is left alone, so a warm run takes milliseconds.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Host, hosts, nodeVersionMin } from './hosts.ts';
import { installOnce, markerName, type Outcome } from './install-once.ts';
import { npm } from './npm.ts';

export { type Host, hosts } from './hosts.ts';

const run = promisify(execFile);

export interface Installed {
  readonly host: Host;
  readonly outcome: Outcome;
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
 * `--version`.
 */
export async function ensureHost(host: Host): Promise<Installed> {
  const startedMs = performance.now();
  const outcome = await installOnce(host.directory, (staging) => installInto(staging, host));
  return { host, outcome, wallMs: performance.now() - startedMs };
}

async function installInto(staging: string, host: Host): Promise<object> {
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
  return {
    version: host.version,
    dependencies: host.dependencies,
    reported: version,
    node: process.version,
  };
}

/** A bound, for a busy machine: nothing waits for it. */
const versionTimeoutMs = 10 * 60_000;

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
  const child = run(program, [...args, '--version'], { cwd: home, env, timeout: versionTimeoutMs });
  child.child.stdin?.end();
  const { stdout, stderr } = await child;
  await rm(home, { recursive: true, force: true });
  return `${stdout}${stderr}`.trim();
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
