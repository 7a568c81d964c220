/** The sessions that a session was forked from, as far as headers name them. Pure. */
import type { FileFacts } from './file-facts.ts';
import { readTail, sessionIdInName, sessionIdInTimedName } from './file-header.ts';

const ancestorsMax = 1_000;

type Sessions = Pick<FileFacts, 'sessions'>;

/** Whether following the headers' parents from this session leads to `candidate`. */
export function isNamedAncestor(files: Sessions, sessionId: string, candidate: string): boolean {
  return listParents(files, sessionId).some((parent) => idIn(parent) === candidate);
}

/**
 * The same; or it leads to a file that is gone and whose name tells no session: that may have been
 * any session without a file.
 */
export function mayBeAncestor(files: Sessions, sessionId: string, candidate: string): boolean {
  if (isNamedAncestor(files, sessionId, candidate)) return true;
  const last = listParents(files, sessionId).at(-1);
  return last !== undefined && !files.sessions.has(candidate) && isOfUnknown(files, last);
}

/** What headers name, the nearest first. */
function listParents({ sessions }: Sessions, sessionId: string): readonly string[] {
  const parents: string[] = [];
  let at = sessions.get(sessionId);
  while (parents.length < ancestorsMax && at !== undefined) {
    const parent =
      at.files.find(({ header }) => header.parentSession !== null)?.header.parentSession ?? null;
    if (parent === null) break;
    parents.push(parent);
    at = sessions.get(idIn(parent));
  }
  return parents;
}

function idIn(parent: string): string {
  return sessionIdInName(parent) ?? parent;
}

function isOfUnknown({ sessions }: Sessions, parent: string): boolean {
  if (!/\.jsonl$/i.test(parent) || sessionIdInTimedName(parent) !== null) return false;
  const isHere = ({ path }: { readonly path: string }) => readTail(path) === readTail(parent);
  return (
    !sessions.has(idIn(parent)) && ![...sessions.values()].some(({ files }) => files.some(isHere))
  );
}
