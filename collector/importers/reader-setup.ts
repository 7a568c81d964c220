/** What reading needs beyond the files: the same in this thread and in a worker. */
import { hostname } from 'node:os';
import { createProjects, type Project } from '@pi-ledger/extension/attribution/project';
import { userName } from '@pi-ledger/extension/attribution/user';
import type { Contents } from '@pi-ledger/extension/content/contents';
import type { Redact } from '@pi-ledger/extension/content/redactor';
import { createGuesser } from './session/attribution.ts';
import { createFileHeaders } from './session/file-header.ts';
import { createLineage } from './session/lineage.ts';
import { createSessionReader, type SessionReader } from './session/session-reader.ts';
import { createGarbageCollector, longLines } from './threads/collect-garbage.ts';

/** Plain data, so that it can be handed to a worker. */
export interface ReaderSettings {
  readonly homeDirectory: string;
  /** Texts of summaries are taken in too, without secrets. */
  readonly auditContent: boolean;
  /** Of pi-ledger. */
  readonly version: string;
  /** The latest time that the log takes, as events have it. */
  readonly latestTime: string;
  /** Where session files were found, by the id in their name. */
  readonly files: ReadonlyMap<string, string>;
}

const projectsMax = 10_000;

/**
 * `importRedact`: for tests. Contract: does not reject because what takes secrets out of texts
 * cannot be loaded; then no text is taken in.
 */
export async function createReader(
  settings: ReaderSettings,
  importRedact: ImportRedact = importRedactor,
): Promise<SessionReader> {
  const { homeDirectory, auditContent, version, latestTime, files } = settings;
  const lineage = createLineage({
    headers: createFileHeaders(),
    fileOf: (sessionId) => files.get(sessionId),
  });
  const guesser = createGuesser({
    user: userName(),
    machine: hostname().slice(0, 500) || 'unknown',
    projectOf: rememberingProjects(homeDirectory),
    version,
  });
  const contents = auditContent ? await loadContents(() => importRedact(homeDirectory)) : null;
  return createSessionReader({
    lineage,
    guesser,
    contents,
    latestTime,
    collectGarbage: createGarbageCollector(longLines),
  });
}

type ImportRedact = (homeDirectory: string) => Promise<Redact>;

/**
 * The extension's own, so that live and imported texts are the same. The library is a file of its
 * own in the bundle, and nobody reads it who has not asked for texts.
 */
async function importRedactor(homeDirectory: string): Promise<Redact> {
  return (await import('@pi-ledger/extension/content/redactor')).createRedactor({ homeDirectory });
}

async function loadContents(load: () => Promise<Redact>): Promise<Contents> {
  const { createContents } = await import('@pi-ledger/extension/content/contents');
  // What is wrong is said of each text that it keeps back (reading.ts).
  const contents = createContents({
    import: load,
    soon: (callback) => callback(),
    notify: () => undefined,
  });
  await new Promise<void>((resolve) => contents.whenReady(resolve));
  return contents;
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
