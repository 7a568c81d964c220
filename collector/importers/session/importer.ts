/**
 * Importers of agents that write pi's session format: one file of JSON lines for each session, with
 * a header. They differ in where the files are and what they are called, and in a few habits; their
 * content is read by the same code (session-reader.ts), with the live extension's recorders.
 */
import type { Importer } from '../importer.ts';

/** What tells one of these agents from the others. */
export interface SessionAgent extends Omit<Importer, 'marksPrivacy' | 'discover' | 'loadParser'> {
  /** Whether a file may be a session's, by its name alone. */
  isSessionFile(name: string): boolean;
}

export function createSessionImporter(agent: SessionAgent): Importer {
  return {
    ...agent,
    marksPrivacy: true,
    discover: ({ roots, walk }) => walk.find(roots, agent.isSessionFile),
    loadParser: async (setup) =>
      (await import('./session-reader.ts')).createSessionReader(setup, agent),
  };
}
