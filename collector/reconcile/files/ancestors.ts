/** The sessions that a session was forked from, as far as headers name them. Pure. */
import type { FileFacts } from './file-facts.ts';
import { sessionIdInName } from './file-header.ts';

const ancestorsMax = 1_000;

/** Whether following the headers' parents from this session leads to `candidate`. */
export function isNamedAncestor(
  { sessions }: Pick<FileFacts, 'sessions'>,
  sessionId: string,
  candidate: string,
): boolean {
  let at = sessions.get(sessionId);
  for (let step = 0; step < ancestorsMax && at !== undefined; step++) {
    const parent =
      at.files.find(({ header }) => header.parentSession !== null)?.header.parentSession ?? null;
    if (parent === null) return false;
    const id = sessionIdInName(parent) ?? parent;
    if (id === candidate) return true;
    at = sessions.get(id);
  }
  return false;
}
