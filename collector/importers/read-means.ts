/** What reading needs beyond the files: the same in this thread and in a worker. */
import { hostname } from 'node:os';
import { createProjects, type Project } from '@pi-ledger/extension/project';
import { userName } from '@pi-ledger/extension/user';
import { createGuesser } from './attribution.ts';
import { createGarbageCollector } from './collect-garbage.ts';
import { createFileHeaders } from './file-header.ts';
import { createLineage } from './lineage.ts';
import { createSessionReader, type SessionReader } from './session-reader.ts';

/** Plain data, so that it can be handed to a worker. */
export interface ReadSettings {
  readonly homeDirectory: string;
  /** Of pi-ledger. */
  readonly version: string;
  /** Where session files were found, by the id in their name. */
  readonly files: ReadonlyMap<string, string>;
}

const projectsMax = 10_000;

export function createReader({ homeDirectory, version, files }: ReadSettings): SessionReader {
  const lineage = createLineage({ headers: createFileHeaders(), fileOf: (sessionId) => files.get(sessionId) });
  const guesser = createGuesser({
    user: userName(),
    machine: hostname().slice(0, 500) || 'unknown',
    projectOf: rememberingProjects(homeDirectory),
    version,
  });
  return createSessionReader({ lineage, guesser, collectGarbage: createGarbageCollector() });
}

/** For the time of one pass: thousands of sessions stand in a few directories. */
function rememberingProjects(homeDirectory: string): (cwd: string) => Project {
  const projects = createProjects(homeDirectory);
  const known = new Map<string, Project>();
  return (cwd) => {
    const project = known.get(cwd) ?? projects.of(cwd);
    if (known.size < projectsMax) known.set(cwd, project);
    return project;
  };
}
