/**
 * An importer knows one family of hosts: where its session files are and what they are called.
 * Their content is read by the same code for all (session-reader.ts), with the live extension's
 * recorders, so that live and imported events are identical, down to the id.
 *
 * Contract (test/suites/importer.ts holds every implementation to it):
 * - Nothing here touches the disk or throws; named directories need not exist.
 * - A file gives the same events whenever and wherever it is read: it is safe to import again, in
 *   any order.
 */

/** The environment variables that hosts use to find their directories. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Importer {
  readonly name: ImporterName;
  /**
   * Where this family's hosts keep sessions unless a run says otherwise; absolute, without repeats.
   */
  defaultDirectories(environment: Environment, homeDirectory: string): readonly string[];
  /** Whether a file may be a session's, by its name alone. */
  isSessionFile(name: string): boolean;
}

export type ImporterName = 'pi' | 'omp';
