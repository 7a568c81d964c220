/**
 * A reader knows one agent for reconcile: where it keeps its sessions, and what they say was spent.
 * A new one is a folder here and a line in registry.ts. It shares no rule and no code with the
 * agent's importer, so that it can catch its mistakes.
 *
 * Contract:
 * - `find` finds each source once, whatever the number of paths to it. It throws when one of the
 *   given directories cannot be read; what cannot be read below them is a problem.
 * - `unitsIn` gives all that a source says was spent, copies too: whose a unit is, is judged from
 *   all sources together, by its identity (unit.ts). It throws for bugs alone.
 * - Objects of the type `Reader` load nothing heavy, since every command loads all of them.
 */
import type { FileUnit } from '../files/file-unit.ts';
import type { FileProblem, FoundFiles, SessionFile } from '../files/session-files.ts';

export type ReaderEnvironment = Readonly<Record<string, string | undefined>>;

export interface AgentReader {
  /** It names the flag (`--omp`), and ends the source of imported events (`/importers/omp`). */
  readonly name: string;
  /** It is what people call the agent. */
  readonly title: string;
  /** The agent copies answers without their prices, so that nobody may know the original. */
  readonly unpricesCopies: boolean;
  /** Sessions are here by default, if at all; `~` is the home directory. */
  defaultDirectories(environment: ReaderEnvironment, home: string): readonly string[];
  /** Some files are told of by the default directories alone: it finds these. */
  tellMore?(directories: readonly string[]): Promise<readonly string[]>;
  /** It loads what reads. Agents with the same format give the same object. */
  loadFormat(): Promise<SourceFormat>;
}

export interface SourceFormat {
  /** The sources are session files, in which the extension marks private stretches. */
  readonly marksPrivacy: boolean;
  find(directories: readonly string[]): FoundFiles;
  unitsIn(file: SessionFile, complain: (problem: FileProblem) => void): Generator<FileUnit>;
}

/** A reader searches these directories. */
export interface Search {
  readonly reader: AgentReader;
  readonly directories: readonly string[];
}

/** The format reads the files of these directories. */
export interface FormatSearch {
  readonly format: SourceFormat;
  readonly directories: readonly string[];
}
