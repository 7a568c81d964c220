/**
 * Maps a working directory to its project: the git repository or, without one, the directory
 * itself. Shared by the live extension and the importers.
 */
import { isAbsolute, relative, sep } from 'node:path';
import type { EventData } from '@pi-ledger/contract';
import { findGit, readRepository } from './git.ts';
import { readHead } from './git-head.ts';
import type { GitPlace } from './git-place.ts';
import { createGitTrust } from './git-trust.ts';

export type Project = EventData<'pi.session.attributed.v1'>['project'];

export interface Projects {
  /** Contract: never throws. Reads a few small files; caches where the repository is. */
  of(cwd: string): Project;
  /**
   * With what is checked out, both as of one moment; null without a repository, or where the commit
   * cannot be told. Contract: as `of`.
   */
  headOf(cwd: string): CheckedOut | null;
}

export interface CheckedOut {
  readonly project: Project;
  readonly commit: string | null;
}

const gitPlacesMax = 64;

export function createProjects(homeDirectory: string): Projects {
  const gitPlaces = new Map<string, GitPlace>();
  const trust = createGitTrust({ homeDirectory, environment: process.env });

  function placeOf(cwd: string): GitPlace | null {
    const place = gitPlaces.get(cwd) ?? (isAbsolute(cwd) ? findGit(cwd, trust) : null);
    // A directory without a repository is checked again each time: `git init` may run at any
    // moment.
    if (place !== null && gitPlaces.size < gitPlacesMax) gitPlaces.set(cwd, place);
    return place;
  }

  function projectAt(cwd: string, place: GitPlace | null): Project {
    if (place === null)
      return {
        name: directoryName(cwd, homeDirectory),
        remote: null,
        branch: null,
        worktree: null,
      };
    const repository = readRepository(place);
    return {
      ...repository,
      name: repository.name.slice(0, 500) || directoryName(cwd, homeDirectory),
    };
  }

  return {
    of: (cwd) => projectAt(cwd, placeOf(cwd)),
    headOf(cwd) {
      const place = placeOf(cwd);
      const head = place === null ? null : readHead(place);
      if (head === null) return null;
      return { project: { ...projectAt(cwd, place), branch: head.branch }, commit: head.commit };
    },
  };
}

/** Relative to the home directory if below it, `~` for home itself, otherwise unchanged. */
function directoryName(cwd: string, homeDirectory: string): string {
  const below = isAbsolute(cwd) ? relative(homeDirectory, cwd) : '..';
  const name = below === '' ? '~' : below.startsWith('..') || isAbsolute(below) ? cwd : below;
  return name.split(sep).join('/').slice(0, 500) || 'unknown';
}
