/**
 * Which project a working directory belongs to: its git repository or, without one, the directory
 * itself. Shared by the live side and the importers.
 */
import { isAbsolute, relative, sep } from 'node:path';
import type { EventData } from '@pi-ledger/contract';
import { findGit, type GitPlace, readRepository } from './git.ts';
import { createGitTrust } from './git-trust.ts';

export type Project = EventData<'pi.session.attributed.v1'>['project'];

export interface Projects {
  /** Contract: never throws. Reads a few small files; where a repository is, is remembered. */
  of(cwd: string): Project;
}

const gitPlacesMax = 64;

export function createProjects(homeDirectory: string): Projects {
  const gitPlaces = new Map<string, GitPlace>();
  const trust = createGitTrust({ homeDirectory, environment: process.env });
  return {
    of(cwd) {
      const place = gitPlaces.get(cwd) ?? (isAbsolute(cwd) ? findGit(cwd, trust) : null);
      // A directory without a repository is looked at again each time: `git init` may come at any
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

/** Below home relative to it, home itself as `~`, anything else as it is. */
function directoryName(cwd: string, homeDirectory: string): string {
  const below = isAbsolute(cwd) ? relative(homeDirectory, cwd) : '..';
  const name = below === '' ? '~' : below.startsWith('..') || isAbsolute(below) ? cwd : below;
  return name.split(sep).join('/').slice(0, 500) || 'unknown';
}
