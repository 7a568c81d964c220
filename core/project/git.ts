/**
 * Identifies a directory's git repository from its files: no child process, nothing written, a few
 * small reads. The repository may be untrusted: only regular files are read, each up to a limit,
 * and none of a repository that git itself would reject (git-trust.ts).
 *
 * Does not: follow includes or `insteadOf` in git's configuration, support bare repositories, or
 * read the branch from a reftable.
 */
import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseGitConfig } from './git-config.ts';
import { lineBytesMax, readText } from './git-file.ts';
import { branchIn } from './git-head.ts';
import type { GitPlace } from './git-place.ts';
import type { GitTrust } from './git-trust.ts';
import { withoutCredentials } from './redact.ts';

export interface Repository {
  /** Name of the main worktree's directory; a submodule has its own. */
  readonly name: string;
  /** Remote `origin`, without credentials. */
  readonly remote: string | null;
  /** The branch, or seven digits of the commit when HEAD is detached. */
  readonly branch: string | null;
  /** git's name for a linked worktree; null in the main one. */
  readonly worktree: string | null;
}

const levelsMax = 64;
/** `origin` stands near the top. */
const configBytesMax = 256 * 1024;

/**
 * Returns null where no directory above holds a repository, or the nearest is one that git would
 * refuse. Contract: never throws.
 */
export function findGit(directory: string, trust: GitTrust): GitPlace | null {
  let root = directory;
  for (let level = 0; level < levelsMax; level += 1) {
    const place = gitPlaceAt(root);
    if (place !== null)
      return trust.trusts(root, [join(root, '.git'), root, place.gitDirectory]) ? place : null;
    const parent = dirname(root);
    if (parent === root) return null;
    root = parent;
  }
  return null;
}

/**
 * Contract: never throws; what cannot be read is null. Reads two files: HEAD changes at any time,
 * and so may the remote.
 */
export function readRepository(place: GitPlace): Repository {
  const isLinked = place.gitDirectory !== place.commonDirectory;
  return {
    name: isLinked ? mainName(place) : basename(place.root),
    remote: remoteIn(readText(join(place.commonDirectory, 'config'), configBytesMax) ?? ''),
    branch: branchIn(readText(join(place.gitDirectory, 'HEAD'), lineBytesMax) ?? ''),
    worktree: isLinked ? basename(place.gitDirectory) : null,
  };
}

/** `.git` is a directory, or (in worktrees and submodules) a file that says where it is. */
function gitPlaceAt(root: string): GitPlace | null {
  const path = join(root, '.git');
  const kind = fileKind(path);
  if (kind === null) return null;
  const named = kind === 'file' ? directoryIn(readText(path, lineBytesMax) ?? '') : path;
  if (named === null) return null;
  const gitDirectory = resolve(root, named);
  if (fileKind(join(gitDirectory, 'HEAD')) !== 'file') return null;
  const common = readText(join(gitDirectory, 'commondir'), lineBytesMax)?.trim();
  return {
    root,
    gitDirectory,
    commonDirectory: common ? resolve(gitDirectory, common) : gitDirectory,
  };
}

function directoryIn(text: string): string | null {
  return text.startsWith('gitdir: ') ? text.slice('gitdir: '.length).trimEnd() : null;
}

/** A worktree of `shop/.git` belongs to `shop`, and so does one of the bare `shop.git`. */
function mainName(place: GitPlace): string {
  const name = basename(place.commonDirectory);
  return name === '.git'
    ? basename(dirname(place.commonDirectory))
    : name.replace(/\.git$/, '') || name;
}

/** The first `url`, which git fetches from. An empty one resets the list. */
function remoteIn(config: string): string | null {
  let found: string | null = null;
  for (const { key, value } of parseGitConfig(config)) {
    if (key !== 'remote.origin.url' || value === null) continue;
    found = value === '' ? null : (found ?? value);
  }
  return found === null ? null : withoutCredentials(found).slice(0, 500) || null;
}

function fileKind(path: string): 'file' | 'directory' | null {
  try {
    const stats = statSync(path);
    return stats.isDirectory() ? 'directory' : stats.isFile() ? 'file' : null;
  } catch {
    return null; // missing, or not readable by this user
  }
}
