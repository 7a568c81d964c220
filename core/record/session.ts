/**
 * Events from the header of a session file: about the session, the sessions it was copied from, and
 * its parent.
 */
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

export interface CopiedCounts {
  readonly entries: number;
  /** Those of them that carry spend. */
  readonly spendEntries: number;
}

/**
 * Records that a session's file begins with copies of another session's entries. `owner.assumed`:
 * the file of an ancestor was missing.
 */
export function recordSessionCopied(
  copyHeader: Header,
  owner: { readonly sessionId: string; readonly assumed: boolean },
  counts: CopiedCounts,
): EventDraft<'pi.session.copied.v1'> {
  const data = {
    copySessionId: copyHeader.id,
    entries: counts.entries,
    spendEntries: counts.spendEntries,
    ownerAssumed: owner.assumed,
  };
  const identity = {
    responseId: null,
    usage: { owner: owner.sessionId, ownerAssumed: owner.assumed },
  };
  return entryDraft(
    'pi.session.copied.v1',
    { id: owner.sessionId, cwd: null },
    copyHeader,
    data,
    identity,
  );
}

/**
 * The id in a session file's name, `<time>_<id>.jsonl`; null for other names (an omp subagent's
 * file is named after the agent).
 */
export function sessionIdOfFile(path: string): string | null {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return asText(/^\d{4}-\d\d-\d\dT[\d-]+Z_(.+)\.jsonl$/i.exec(name)?.[1]);
}

/** A header names its parent by its file's path or, in omp's forks, by its id. */
export function sessionIdOfParent(parentSession: string | null): string | null {
  if (parentSession === null) return null;
  return isPath(parentSession) ? sessionIdOfFile(parentSession) : asText(parentSession);
}

function isPath(parentSession: string): boolean {
  return /[\\/]|\.jsonl$/i.test(parentSession);
}
