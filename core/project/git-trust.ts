/**
 * Whether git would accept a repository: it must belong to the user (as root under sudo: to root,
 * or to whoever called sudo), or be listed in `safe.directory` in the user's or the system's
 * configuration. A parent directory, and its `.git`, may belong to anybody.
 *
 * Does not follow includes. On Windows, where Node cannot tell a file's owner, ownership is not
 * checked.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '../machine/regular-file.ts';
import { parseGitConfig } from './git-config.ts';

export interface GitTrust {
  /**
   * `root` is the repository, `paths` must belong to the user. Contract: never throws; reads files
   * only for paths that do not.
   */
  trusts(root: string, paths: readonly string[]): boolean;
}

export interface GitTrustOptions {
  readonly homeDirectory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** It is null where the platform has no file owners. */
  readonly userId?: number | null;
  readonly systemConfig?: string;
}

const configBytesMax = 256 * 1024;

export function createGitTrust(options: GitTrustOptions): GitTrust {
  const { homeDirectory, environment, systemConfig = '/etc/gitconfig' } = options;
  const userId = options.userId === undefined ? (process.geteuid?.() ?? null) : options.userId;
  const owners = ownersFor(userId, environment.SUDO_UID);
  const configs = [
    systemConfig,
    join(environment.XDG_CONFIG_HOME || join(homeDirectory, '.config'), 'git', 'config'),
    join(homeDirectory, '.gitconfig'),
  ];
  return {
    trusts: (root, paths) =>
      owners === null ||
      paths.every((path) => isOwnedBy(path, owners)) ||
      isNamed(root, configs, homeDirectory),
  };
}

function ownersFor(
  userId: number | null,
  sudoUserId: string | undefined,
): ReadonlySet<number> | null {
  if (userId === null) return null;
  const isSudo = userId === 0 && /^\d{1,10}$/.test(sudoUserId ?? '');
  return new Set(isSudo ? [0, Number(sudoUserId)] : [userId]);
}

function isOwnedBy(path: string, owners: ReadonlySet<number>): boolean {
  try {
    return owners.has(statSync(path).uid);
  } catch {
    return false; // it has vanished
  }
}

/** An empty value resets the list; `*` matches everything, a trailing `/*` everything below. */
function isNamed(root: string, configs: readonly string[], homeDirectory: string): boolean {
  const values = configs
    .flatMap((path) => parseGitConfig(readText(path)))
    .filter(({ key }) => key === 'safe.directory');
  const inForce = values.slice(values.findLastIndex(({ value }) => value === '') + 1);
  return inForce.some(({ value }) => {
    const named = (value ?? '').replace(/^~(?=\/)/, homeDirectory);
    return (
      named === '*' ||
      named === root ||
      (named.endsWith('/*') && root.startsWith(named.slice(0, -1)))
    );
  });
}

function readText(path: string): string {
  try {
    return readRegularFile(path, { bytesMax: configBytesMax });
  } catch {
    return ''; // missing, or unreadable for git too
  }
}
