/**
 * An importer knows one family of hosts: where its session files are, and which files are some.
 * What stands in them is read by the same code for all (session-reader.ts), with the recorders that
 * the live extension uses, so that live and imported events are the same, to the id.
 *
 * Contract (test/suites/importer.ts holds every implementation to it):
 * - Nothing here touches the disk or throws; directories that are named need not be there.
 * - A whole file's events are the same whenever and wherever it is read: importing twice, in any
 *   order, changes nothing.
 */

/** What hosts find their directories by. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Importer {
  readonly name: ImporterName;
  /**
   * Where this family's hosts keep sessions unless told for one run; absolute, the same directory
   * once.
   */
  defaultDirectories(environment: Environment, homeDirectory: string): readonly string[];
  /** Whether a file, by its name alone, may be a session's. */
  isSessionFile(name: string): boolean;
}

export type ImporterName = 'pi' | 'omp';
