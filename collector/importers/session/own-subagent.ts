/** What is said of a file's session as somebody's subagent, besides its entries. Pure. */
import type { EventDraft } from '@pi-ledger/core/record/draft';
import type { Header } from '@pi-ledger/core/record/entry';
import type { SubagentParent } from '@pi-ledger/core/record/entry-draft';
import { fileRef, linkChild, linkResult } from '@pi-ledger/core/record/link';
import type { GuessedSession } from '../attribution.ts';
import type { AnswerClaim, ProvenTie } from '../proofs.ts';
import { createRunSums } from '../run-sums.ts';
import { isParentToldElsewhere } from './guessed-session.ts';
import { isFileName } from './other-accounts.ts';
import type { PlacedSubagent } from './placed-subagent.ts';
import type { ReaderState } from './reader-state.ts';

/** A better guess follows right after the one that it replaces. */
export function attributedLaterMs(
  placed: PlacedSubagent | null,
  claimedBy: SubagentParent | null,
  isClaimedAnew: boolean | undefined,
): number {
  if (!isParentToldElsewhere(placed, claimedBy)) return 0;
  return isClaimedAnew === true ? 2 : 1;
}

/** Only a session that names a parent, and is told by nothing else to be its subagent, has sums. */
export function startedRuns(
  header: Header,
  placed: PlacedSubagent | null,
  standing: ReaderState | null,
) {
  const isMeant = header.parentSession !== null && placed === null;
  return isMeant ? createRunSums(standing?.runs ?? null) : null;
}

/** What the parent may call the session, where its id is not enough. */
export function draftLinks(
  header: Header,
  path: string,
  placed: PlacedSubagent | null,
  alsoClaimedBy: readonly AnswerClaim[],
): readonly EventDraft[] {
  const ref = fileRef(path);
  const parent = placed?.name === null ? placed.parent : null;
  const own =
    parent !== null && ref !== null && isFileName(ref)
      ? [linkChild(header, parent.sessionId, ref)]
      : [];
  const others = alsoClaimedBy
    .filter((claim) => isFileName(claim.parent.key))
    .map((claim) => linkChild(header, claim.parent.sessionId, claim.parent.key));
  return [...own, ...others];
}

export function draftTies(header: Header, ties: readonly ProvenTie[]): readonly EventDraft[] {
  return ties.map(({ sessionId, entryId, time }) =>
    linkResult(sessionId, { id: entryId, timestamp: time }, header.id),
  );
}

/** A name from the path is there at each reading. */
export function nameToKeep(
  placed: PlacedSubagent | null,
  { agent }: GuessedSession,
): { readonly agentName?: string } {
  return placed?.name == null && agent.name !== null ? { agentName: agent.name } : {};
}
