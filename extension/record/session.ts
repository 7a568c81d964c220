/**
 * The header of a session file: what it says of its session, of the sessions it was copied from,
 * and of its parent.
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
  /** Of these, those that carry spend. */
  readonly spendEntries: number;
}

/**
 * That a session's file begins with copies of another one's entries; `owner.assumed` when the file
 * of an ancestor was gone.
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
 * file is called after the agent).
 */
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
