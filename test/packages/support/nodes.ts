/** Node versions that a user may have: the oldest supported, and the one that runs the tests. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hostsDirectory } from '../../hosts/support/host/hosts.ts';
import { npm, npmEnvironment, systemPath } from './npm.ts';

const oldVersion = '20.20.2';
const platform = process.platform === 'win32' ? 'win' : process.platform;
const platformPackage = `node-${platform}-${process.arch}`;

export interface NodeOf {
  readonly name: string;
  /**
   * The folder of its `node`, to be first on the PATH. Fetched from npm if the machine has none.
   */
  directory(): Promise<string>;
}

export const nodes: readonly NodeOf[] = [
  { name: 'Node 20', directory: oldNode },
  { name: 'Node 24', directory: async () => dirname(process.execPath) },
];

/**
 * The machine's own, if it is old; else from npm, made visible by one rename, because several
 * processes may want it at the same time.
 */
async function oldNode(): Promise<string> {
  const own = systemPath().find((directory) => versionIn(directory).startsWith('v20.'));
  if (own !== undefined) return own;
  const kept = join(dirname(hostsDirectory), 'node', oldVersion);
  const binary = join(kept, 'node_modules', platformPackage, 'bin');
  if (existsSync(binary)) return binary;
  await mkdir(dirname(kept), { recursive: true });
  const staging = await mkdtemp(`${kept}-`);
  await npm(
    staging,
    npmEnvironment(),
    'install',
    '--prefix',
    staging,
    `${platformPackage}@${oldVersion}`,
  );
  await rename(staging, kept).catch(() => rm(staging, { recursive: true }));
  return binary;
}

function versionIn(directory: string): string {
  const binary = join(directory, 'node');
  return existsSync(binary) ? execFileSync(binary, ['--version'], { encoding: 'utf8' }) : '';
}
