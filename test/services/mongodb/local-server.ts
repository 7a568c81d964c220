/**
 * A MongoDB-compatible server on this machine: FerretDB on PostgreSQL with DocumentDB, built once
 * into the cache folder by setup.sh (71 s), then started in a second on free ports, with data of
 * its own that is removed at the end.
 *
 * Needs root (it lives in a chroot). It ends with the process that started it, kill -9 included.
 * What its answers differ in from MongoDB itself is in docs/mongodb.md.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { canMount, mountSmallDisk, type SmallDisk } from '../../hosts/support/machine/disks.ts';
import { freePort } from '../../hosts/support/machine/ports.ts';
import { waitMsMax } from '../../support/bounds.ts';
import { cacheDirectory } from '../cache.ts';
import { createServerProcess, isOpen, type ServerProcess } from '../server-process.ts';

/** The gateway implements MongoDB's protocol, the database stores the documents. */
export type ServerPart = 'gateway' | 'database';

export interface LocalServer {
  readonly name: string;
  readonly uri: string;
  /** SIGKILL. */
  kill(part: ServerPart): Promise<void>;
  /** Starts it on the same port and data, and waits until it accepts connections. */
  restart(part: ServerPart): Promise<void>;
  /** SIGSTOP and SIGCONT: it keeps its connections and answers nothing. */
  pause(part: ServerPart): void;
  resume(part: ServerPart): void;
  /** The disk of its data, if requested: a separate file system in memory. */
  readonly disk: SmallDisk | null;
  stop(): Promise<void>;
}

export interface LocalServerOptions {
  /**
   * Puts the data on a separate file system of this many bytes. Needs the right to mount one.
   * Default: on the normal disk.
   */
  readonly diskBytes?: number;
  /**
   * Whether each write is synced to disk, as a benchmark wants. Default: no. What a killed server
   * has written stays with the system either way; only a computer failure could lose it, and a busy
   * disk delays tests by seconds.
   */
  readonly isSynced?: boolean;
}

/**
 * Names the build of setup.sh; another recipe needs another name, so that no old build is reused.
 */
const recipe = 'ferretdb-2.7.0-postgresql-18-documentdb';
export const serverName = 'DocumentDB by FerretDB 2.7.0 (local)';

/**
 * Tests that kill a server need their own, whatever the lane runs on; if this returns false, they
 * report that they are skipped.
 */
export function isLocalServerPossible(): boolean {
  return whyNoLocalServer(process.env) === null;
}

/** Why there can be none on this machine, in words; null: there can. */
export function whyNoLocalServer(environment: NodeJS.ProcessEnv): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'the local server needs Linux and root';
  if (existsSync(directoryOf(environment)) || canMount()) return null;
  return 'building the local server needs the right to mount a file system';
}

function directoryOf(environment: NodeJS.ProcessEnv): string {
  return join(cacheDirectory(environment, 'mongodb'), recipe);
}

/** Returns the directory of its programs, which are built if they are missing. Throws if not. */
export function ensureLocalServer(environment: NodeJS.ProcessEnv): string {
  const root = directoryOf(environment);
  const setup = fileURLToPath(new URL('./setup.sh', import.meta.url));
  if (!existsSync(root)) execFileSync(setup, [root], { stdio: 'inherit' });
  return root;
}

/** Throws, with the available details, if it cannot be built or started. */
export async function startLocalServer(
  environment: NodeJS.ProcessEnv,
  { diskBytes, isSynced = false }: LocalServerOptions = {},
): Promise<LocalServer> {
  const root = ensureLocalServer(environment);
  const tree = join(root, 'tree');
  removeLeftovers(join(tree, 'data'));
  const ports = { database: await freePort(), gateway: await freePort() };
  const data = `/data/run-${ports.database}-${process.pid}`;
  const files = join(tree, data);
  mkdirSync(files);
  const disk = diskBytes === undefined ? null : mountSmallDisk(files, diskBytes);
  execFileSync('cp', ['-a', `${join(tree, 'data', 'template')}/.`, files]);
  const parts: Record<ServerPart, ServerProcess> = {
    database: databaseProcess(tree, data, ports.database, isSynced),
    gateway: gatewayProcess(root, files, ports),
  };
  const restart = (part: ServerPart): Promise<void> =>
    startUntil(parts[part], () => isOpen(ports[part]));
  const stop = async (): Promise<void> => {
    await parts.gateway.end('SIGTERM');
    await parts.database.end('SIGINT');
    disk?.unmount();
    rmSync(files, { recursive: true, force: true, maxRetries: 10 });
  };
  try {
    await startUntil(parts.database, () => createExtension(tree, ports.database));
    await restart('gateway');
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    name: serverName,
    uri: `mongodb://127.0.0.1:${ports.gateway}/?directConnection=true`,
    kill: (part) => parts[part].end('SIGKILL'),
    restart,
    pause: (part) => parts[part].signal('SIGSTOP'),
    resume: (part) => parts[part].signal('SIGCONT'),
    disk,
    stop,
  };
}

/**
 * Removes data of servers whose process was killed before it could do so: the directory's name ends
 * with its pid.
 */
function removeLeftovers(directory: string): void {
  for (const name of readdirSync(directory)) {
    const pid = /^run-\d+-(\d+)$/.exec(name)?.[1];
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue;
    const path = join(directory, name);
    try {
      if (readFileSync('/proc/mounts', 'utf8').includes(` ${path} `))
        execFileSync('umount', ['--lazy', path], { stdio: 'pipe' });
      rmSync(path, { recursive: true, force: true, maxRetries: 10 });
    } catch (error) {
      // Another process may be doing the same, and nobody needs it gone.
      console.error(`${path} is left: ${(error as Error).message}`);
    }
  }
}

const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'];
const binaries = '/usr/lib/postgresql/18/bin';

function databaseProcess(
  tree: string,
  data: string,
  port: number,
  isSynced: boolean,
): ServerProcess {
  // SIGQUIT ends the database and its children at once, in case this process dies before it can
  // stop them.
  const command = [
    ...asPostgres,
    '--pdeathsig=QUIT',
    `${binaries}/postgres`,
    '-D',
    data,
    '-p',
    String(port),
    '-c',
    `fsync=${isSynced ? 'on' : 'off'}`,
  ];
  return createServerProcess({
    command: ['chroot', tree, ...command],
    logPath: join(tree, data, 'server.log'),
  });
}

function gatewayProcess(
  root: string,
  files: string,
  ports: Readonly<Record<ServerPart, number>>,
): ServerProcess {
  const settings = {
    'postgresql-url': `postgres://postgres@127.0.0.1:${ports.database}/postgres`,
    'listen-addr': `127.0.0.1:${ports.gateway}`,
    'state-dir': files,
    'debug-addr': '-',
    telemetry: 'disable',
    'log-level': 'ERROR',
  };
  const flags = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
  return createServerProcess({
    command: ['setpriv', '--pdeathsig=TERM', join(root, 'ferretdb'), '--no-auth', ...flags],
    logPath: join(files, 'gateway.log'),
  });
}

/**
 * Restarts it if it ends meanwhile: a killed database leaves children behind, which hold its files
 * for a moment.
 */
async function startUntil(
  part: ServerProcess,
  isReady: () => boolean | Promise<boolean>,
): Promise<void> {
  const untilMs = performance.now() + waitMsMax;
  while (performance.now() < untilMs) {
    if (!part.isRunning()) part.start();
    await sleep(50);
    if (part.isRunning() && (await isReady())) return;
  }
  throw new Error(`A part of the local server did not start; ${part.logPath} says more.`);
}

function createExtension(tree: string, port: number): boolean {
  const sql = 'CREATE EXTENSION IF NOT EXISTS documentdb CASCADE';
  try {
    execFileSync(
      'chroot',
      [tree, ...asPostgres, `${binaries}/psql`, '-qh', '127.0.0.1', '-p', String(port), '-c', sql],
      { stdio: 'pipe' },
    );
    return true;
  } catch {
    return false; // not up yet; the caller gives up after a while and names the log
  }
}
