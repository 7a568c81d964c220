/** The header of a session file. */
import type { EventDraft } from './draft.ts';
import type { Header } from './entry.ts';
import { entryDraft } from './entry-draft.ts';
import { asText } from './fields.ts';

export function recordSessionStarted(header: Header): EventDraft<'pi.session.started.v1'> {
  return entryDraft('pi.session.started.v1', { id: header.id, cwd: header.cwd }, header, {
    formatVersion: header.formatVersion,
    cwd: asText(header.cwd),
    parentSessionId: sessionIdOfParent(header.parentSession),
  });
}

/** The id in a session file's name, `<time>_<id>.jsonl`; null for other names (an omp subagent's file is called after the agent). */
export function sessionIdOfFile(path: string): string | null {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return asText(/^\d{4}-\d\d-\d\dT[\d-]+Z_(.+)\.jsonl$/.exec(name)?.[1]);
}

/** A header names its parent by the path of its file or, in omp's forks, by its id. */
export function sessionIdOfParent(parentSession: string | null): string | null {
  if (parentSession === null) return null;
  return isPath(parentSession) ? sessionIdOfFile(parentSession) : asText(parentSession);
}

function isPath(parentSession: string): boolean {
  return /[\\/]|\.jsonl$/.test(parentSession);
}
