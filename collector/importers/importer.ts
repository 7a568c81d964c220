/**
 * An importer knows one agent: where it keeps its sessions (`discover`), and what they say
 * (`Parse`). A new one is a folder here and a line in registry.ts. Its reader in reconcile is
 * another folder and line there, and shares nothing with this one.
 *
 * Contract (test/suites/importer.ts holds every implementation to it):
 * - A source is what is read as one: a file, or the files of a store that belong together. Its path
 *   names it in `imports.db` and in issues: the same source has the same path in every scan, and no
 *   two have the same.
 * - `discover` changes nothing and does not throw. A directory that nobody named need not exist;
 *   what cannot be looked at is an issue.
 * - Parsing gives the same events, down to the id, whenever, wherever and in whatever order sources
 *   are read, and those of the live extension where the agent has it: it is safe to import again.
 *   What cannot be read is an issue; it throws for bugs alone. It writes nothing.
 * - What a source proves beside its events stands in its result (proofs.ts): the first answer of
 *   its session, by which a parent may claim it; the parent that its place names; the claims of its
 *   tool results. The machinery brings claims and answers together, whichever comes first.
 * - Spend that a source shows without figures is an event that is not reported, or an issue that
 *   may hold spend: nothing is guessed, and nothing is passed over in silence.
 * - Objects of this type load nothing heavy, since every command loads all of them.
 */
import type { Issues } from './issues.ts';
import type { EventBatch } from './threads/batches.ts';
import type { ReaderSetup, ReadJob, ReadResult } from './threads/read-job.ts';

export interface Importer {
  /**
   * It is made of lower case letters and digits, and names the host, the flag (`--omp`) and the
   * source of events (`/importers/omp`).
   */
  readonly name: string;
  /** It is what people call the agent. */
  readonly title: string;
  /** The agent copies answers without their prices, so that a copy has an id of its own. */
  readonly unpricesCopies: boolean;
  /**
   * Its sources are session files, in which the extension marks private stretches. Subagents and
   * copies of these are private too, and are looked for before anything is read.
   */
  readonly marksPrivacy: boolean;
  /**
   * The agent keeps sessions here unless a run says otherwise. The paths are absolute, without
   * repeats, and below the home directory where no variable names another place.
   */
  defaultDirectories(environment: ImportEnvironment, homeDirectory: string): readonly string[];
  /** They come in the order in which they are to be read. */
  discover(environment: Discovery): Promise<readonly ImportSource[]>;
  /** Some sources are told of by others alone: it finds these, given all that were found. */
  discoverMore?(
    found: readonly ImportSource[],
    environment: Discovery,
  ): Promise<readonly ImportSource[]>;
  /** It loads what parses, and is called once in each thread that reads. */
  loadParser(setup: ReaderSetup): Promise<Parse>;
}

/** The environment variables that agents use to find their directories. */
export type ImportEnvironment = Readonly<Record<string, string | undefined>>;

/** A directory that is searched, and by whom. */
export interface Root {
  readonly importer: Importer;
  readonly directory: string;
  /** False for a default directory, which need not exist. */
  readonly isNamed: boolean;
  /** Links below it are not followed. */
  readonly isClosed?: boolean;
}

/** Where one importer searches. */
export interface Discovery {
  /** They are all its own, and at least one. */
  readonly roots: readonly Root[];
  /** All importers of a scan share it, so that each file is found once. */
  readonly walk: Walk;
  readonly issues: Issues;
  /** Whether the source of this path was imported before. */
  wasRead(path: string): boolean;
}

/** Finds files by their names, each once, whatever the number of paths to it (walk.ts). */
export interface Walk {
  /** Directories are searched in depth. What only links lead to is found after everything else. */
  find(
    roots: readonly Root[],
    isWanted: (name: string) => boolean,
  ): Promise<readonly ImportSource[]>;
}

export interface ImportSource {
  readonly path: string;
  /** Absolute paths; absent: the file at `path` alone. */
  readonly files?: readonly string[];
  readonly importer: Importer;
  /** It changes whenever the content may have changed (sources.ts). */
  readonly stamp: string;
  /** All its files are counted together. */
  readonly bytes: number;
  /** When one of its files was last written. */
  readonly changedMs: number;
}

/**
 * Reads one source, from its start or from where the last reading ended, and yields its events in
 * batches (threads/batches.ts). Synchronous: it runs in a worker thread, or in steps of one batch.
 */
export type Parse = (source: ReadJob) => Generator<EventBatch, ReadResult>;

/** The source of an importer's events. */
export function eventSource({ name }: Pick<Importer, 'name'>): string {
  return `/importers/${name}`;
}
