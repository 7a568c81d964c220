/** What reading needs besides the files, the same in this thread and in a worker. */
import { hostname } from 'node:os';
import type { Contents } from '@pi-ledger/core/content/contents';
import type { Redact } from '@pi-ledger/core/content/redactor';
import { userName } from '@pi-ledger/core/machine/user';
import { createProjects, type Project } from '@pi-ledger/core/project/project';
import { createGuesser } from './attribution.ts';
import type { Importer, Parse } from './importer.ts';
import { importers } from './registry.ts';
// What pi and omp parse with is needed whenever something is read: the bundle keeps it together.
import './session/session-reader.ts';
import { createGarbageCollector, longLines } from './threads/collect-garbage.ts';

/** Plain data that can be sent to a worker. */
export interface ReaderSettings {
  readonly homeDirectory: string;
  /** Also imports the texts of summaries, without secrets. */
  readonly auditContent: boolean;
  /** The version of pi-ledger. */
  readonly version: string;
  /** The latest time that the log accepts, as in events. */
  readonly latestTime: string;
  /** Paths of sources, by the session's id in their name. */
  readonly files: ReadonlyMap<string, string>;
}

const projectsMax = 10_000;

/**
 * Reads sources of these agents. `importRedact`: for tests. Contract: does not reject when the
 * redactor cannot be loaded; texts are then left out.
 */
export async function createReader(
  settings: ReaderSettings,
  agents: readonly Importer[] = importers,
  importRedact: ImportRedact = importRedactor,
): Promise<Parse> {
  const { homeDirectory, auditContent, version, latestTime, files } = settings;
  const guesser = createGuesser({
    user: userName(),
    machine: hostname().slice(0, 500) || 'unknown',
    projectOf: rememberingProjects(homeDirectory),
    version,
  });
  const contents = auditContent ? await loadContents(() => importRedact(homeDirectory)) : null;
  const setup = {
    guesser,
    fileOf: (sessionId: string) => files.get(sessionId),
    contents,
    latestTime,
    collectGarbage: createGarbageCollector(longLines),
  };
  const parsers = new Map<string, Parse>();
  for (const agent of agents) parsers.set(agent.name, await agent.loadParser(setup));
  return (job) => {
    const parse = parsers.get(job.importer);
    if (parse === undefined) throw new Error(`There is no importer ${job.importer}.`);
    return parse(job);
  };
}

type ImportRedact = (homeDirectory: string) => Promise<Redact>;

/**
 * The extension's redactor, so that live and imported texts are the same. It is a separate file in
 * the bundle, loaded only when texts are imported.
 */
async function importRedactor(homeDirectory: string): Promise<Redact> {
  return (await import('@pi-ledger/core/content/redactor')).createRedactor({ homeDirectory });
}

async function loadContents(load: () => Promise<Redact>): Promise<Contents> {
  const { createContents } = await import('@pi-ledger/core/content/contents');
  // A failure is reported for each text that is left out (parse-session.ts).
  const contents = createContents({
    import: load,
    soon: (callback) => callback(),
    notify: () => undefined,
  });
  await new Promise<void>((resolve) => contents.whenReady(resolve));
  return contents;
}

/** Remembers projects during one scan, because thousands of sessions share a few directories. */
function rememberingProjects(homeDirectory: string): (cwd: string) => Project {
  const projects = createProjects(homeDirectory);
  const known = new Map<string, Project>();
  return (cwd) => {
    const project = known.get(cwd) ?? projects.of(cwd);
    if (known.size < projectsMax) known.set(cwd, project);
    return project;
  };
}
