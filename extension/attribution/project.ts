/**
 * Maps a working directory to its project: the git repository or, without one, the directory
 * itself. Shared by the live extension and the importers.
 */
import { isAbsolute, relative, sep } from 'node:path';
import type { EventData } from '@pi-ledger/contract';
import { findGit, type GitPlace, readRepository } from './git.ts';
import { createGitTrust } from './git-trust.ts';

export type Project = EventData<'pi.session.attributed.v1'>['project'];

export interface Projects {
  /** Contract: never throws. Reads a few small files; caches where the repository is. */
  of(cwd: string): Project;
}

const gitPlacesMax = 64;

export function createProjects(homeDirectory: string): Projects {
  const gitPlaces = new Map<string, GitPlace>();
  const trust = createGitTrust({ homeDirectory, environment: process.env });
  return {
    of(cwd) {
      const place = gitPlaces.get(cwd) ?? (isAbsolute(cwd) ? findGit(cwd, trust) : null);
      // A directory without a repository is checked again each time: `git init` may run at any
      // moment.
      if (place !== null && gitPlaces.size < gitPlacesMax) gitPlaces.set(cwd, place);
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
    },
  };
}

/** Relative to the home directory if below it, `~` for home itself, otherwise unchanged. */
function directoryName(cwd: string, homeDirectory: string): string {
  const below = isAbsolute(cwd) ? relative(homeDirectory, cwd) : '..';
  const name = below === '' ? '~' : below.startsWith('..') || isAbsolute(below) ? cwd : below;
  return name.split(sep).join('/').slice(0, 500) || 'unknown';
}
