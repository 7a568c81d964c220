/**
 * What a directory's git repository is called, read from its files: no child process, nothing written, a few small reads.
 *
 * Does not: follow includes or `insteadOf` in git's configuration, know bare repositories, read the reftable format's branch.
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { withoutCredentials } from './redact.ts';

export interface Repository {
  /** Name of the main worktree's directory; of its own for a submodule. */
  readonly name: string;
  /** Remote `origin`, without credentials. */
  readonly remote: string | null;
  /** The branch, or seven digits of the commit when HEAD is detached. */
  readonly branch: string | null;
  /** git's name for a linked worktree; null in the main one. */
  readonly worktree: string | null;
}

/** Where a repository keeps its files. Found by walking up from a directory: worth keeping. */
export interface GitPlace {
  readonly root: string;
  readonly gitDirectory: string;
  /** Shared by all worktrees. */
  readonly commonDirectory: string;
}

const levelsMax = 64;
const fileBytesMax = 64 * 1024;

/** Null where no directory above holds a repository. Contract: never throws. */
export function findGit(directory: string): GitPlace | null {
  let root = directory;
  for (let level = 0; level < levelsMax; level += 1) {
    const place = gitPlaceAt(root);
    if (place !== null) return place;
    const parent = dirname(root);
    if (parent === root) return null;
    root = parent;
  }
  return null;
}

/** Contract: never throws; what cannot be read is null. Reads two files: HEAD changes at any time, and so may the remote. */
export function readRepository(place: GitPlace): Repository {
  const isLinked = place.gitDirectory !== place.commonDirectory;
  return {
    name: isLinked ? mainName(place) : basename(place.root),
    remote: remoteIn(readText(join(place.commonDirectory, 'config')) ?? ''),
    branch: branchIn(readText(join(place.gitDirectory, 'HEAD')) ?? ''),
    worktree: isLinked ? basename(place.gitDirectory) : null,
  };
}

/** `.git` is a directory, or (in worktrees and submodules) a file that says where it is. */
function gitPlaceAt(root: string): GitPlace | null {
  const path = join(root, '.git');
  const kind = kindOf(path);
  if (kind === null) return null;
  const named = kind === 'file' ? /^gitdir: (.+)$/m.exec(readText(path) ?? '')?.[1] : path;
  if (named === undefined) return null;
  const gitDirectory = resolve(root, named.trimEnd());
  if (kindOf(join(gitDirectory, 'HEAD')) !== 'file') return null;
  const common = readText(join(gitDirectory, 'commondir'))?.trim();
  return { root, gitDirectory, commonDirectory: common ? resolve(gitDirectory, common) : gitDirectory };
}

/** A worktree of `shop/.git` belongs to `shop`, one of the bare `shop.git` too. */
function mainName(place: GitPlace): string {
  const name = basename(place.commonDirectory);
  return name === '.git' ? basename(dirname(place.commonDirectory)) : name.replace(/\.git$/, '') || name;
}

function branchIn(head: string): string | null {
  const branch = /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1]?.trimEnd();
  if (branch !== undefined) return branch === '.invalid' ? null : branch.slice(0, 500);
  return /^[0-9a-f]{40,64}\s*$/.test(head) ? head.slice(0, 7) : null;
}

/** The first `url` of the section `[remote "origin"]`. */
function remoteIn(config: string): string | null {
  let section = '';
  for (const line of config.split('\n')) {
    section = /^\s*\[(.+)\]/.exec(line)?.[1] ?? section;
    const url = /^remote\s+"origin"$/i.test(section) ? /^\s*url\s*=\s*(.+?)\s*$/i.exec(line)?.[1] : undefined;
    if (url !== undefined) return withoutCredentials(url.replace(/^"(.*)"$/, '$1')).slice(0, 500) || null;
  }
  return null;
}

function kindOf(path: string): 'file' | 'directory' | null {
  try {
    const stats = statSync(path);
    return stats.isDirectory() ? 'directory' : stats.isFile() ? 'file' : null;
  } catch {
    return null; // not there, or not ours to see
  }
}

/** The first 64 KiB. */
function readText(path: string): string | null {
  try {
    const descriptor = openSync(path, 'r');
    try {
      const buffer = Buffer.allocUnsafe(fileBytesMax);
      return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, fileBytesMax, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return null; // not there, or not ours to read
  }
}
