/** What is checked out: branch and commit, from a few small files. */
import { join } from 'node:path';
import { readRegularFile } from '../machine/regular-file.ts';
import { isCommit, lineBytesMax, packedCommit, readText } from './git-file.ts';
import type { GitPlace } from './git-place.ts';

export interface GitHead {
  /** Seven digits of the commit when HEAD is detached. */
  readonly branch: string | null;
  /** It is null as long as the branch has no commit. */
  readonly commit: string | null;
}

/**
 * Returns null when it cannot be told, as where refs are in a reftable. Contract: never throws,
 * never waits.
 */
export function readHead({ gitDirectory, commonDirectory }: GitPlace): GitHead | null {
  const head = readText(join(gitDirectory, 'HEAD'), lineBytesMax) ?? '';
  const branch = branchIn(head);
  const ref = refIn(head);
  if (branch === null) return null;
  if (ref === null) return { branch, commit: head.trim() };
  const commit = isPlain(ref) ? readCommit(commonDirectory, ref) : undefined;
  return commit === undefined ? null : { branch, commit };
}

/** The branch that HEAD names, or seven digits of its commit. */
export function branchIn(head: string): string | null {
  const branch = refIn(head)?.slice('refs/heads/'.length);
  if (branch !== undefined) return branch === '.invalid' ? null : branch.slice(0, 500);
  return isCommit(head.trim()) ? head.slice(0, 7) : null;
}

function refIn(head: string): string | null {
  return /^ref: (refs\/heads\/.+)$/m.exec(head)?.[1]?.trimEnd() ?? null;
}

/** As git checks names, as far as it keeps them below `refs/heads`. */
function isPlain(ref: string): boolean {
  return ref.split('/').every((part) => part !== '' && !part.startsWith('.'));
}

/** Returns null if there is none, and undefined if that is not known. */
function readCommit(commonDirectory: string, ref: string): string | null | undefined {
  const loose = ifPresent(() =>
    readRegularFile(join(commonDirectory, ref), { bytesMax: lineBytesMax }).trim(),
  );
  if (loose !== null) return loose !== undefined && isCommit(loose) ? loose : undefined;
  return ifPresent(() => packedCommit(join(commonDirectory, 'packed-refs'), ref));
}

/** Returns null if there is no such file, and undefined if it cannot be read. */
function ifPresent<T>(read: () => T): T | null | undefined {
  try {
    return read();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR' ? null : undefined;
  }
}
