/** What is guessed about a session from its header, its file's path and its claimants. Pure. */
import type { Header } from '@pi-ledger/core/record/entry';
import type { SubagentParent } from '@pi-ledger/core/record/entry-draft';
import { sessionIdOfParent } from '@pi-ledger/core/record/session';
import type { GuessedSession } from '../attribution.ts';
import type { PlacedSubagent } from './placed-subagent.ts';

export function guessSession(
  header: Header,
  importer: string,
  placed: PlacedSubagent | null,
  claimedBy: SubagentParent | null,
  nameInFile: string | null,
): GuessedSession {
  const parentSessionId =
    sessionIdOfParent(header.parentSession) ??
    placed?.parent?.sessionId ??
    claimedBy?.sessionId ??
    null;
  const kind = placed === null && claimedBy === null ? 'main' : 'subagent';
  return { header, importer, parentSessionId, agent: { kind, name: placed?.name ?? nameInFile } };
}

/**
 * Whether the session may have been read before its parent was known: then the better guess follows
 * right after the old one.
 */
export function isParentToldElsewhere(
  placed: PlacedSubagent | null,
  claimedBy: SubagentParent | null,
): boolean {
  return (
    claimedBy !== null || (placed !== null && placed.parent !== null && !placed.isParentInPath)
  );
}
