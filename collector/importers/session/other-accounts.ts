/** Accounts of an entry to sessions that claim it besides the nearest parent. Pure. */
import type { EventDraft } from '@pi-ledger/core/record/draft';
import type { Entry } from '@pi-ledger/core/record/entry';
import type { RecordedSession } from '@pi-ledger/core/record/entry-draft';
import type { PathState } from '@pi-ledger/core/record/path-state';
import { recordEntry } from '@pi-ledger/core/record/record-entry';
import type { AnswerClaim } from '../proofs.ts';

/** `own`: the file's session. `answer`: the first answer of the entry's session. */
export function createOtherAccounts(alsoClaimedBy: readonly AnswerClaim[], own: RecordedSession) {
  return (
    above: PathState,
    session: RecordedSession,
    entry: Entry,
    answer: string | null,
  ): readonly EventDraft[] =>
    alsoClaimedBy
      .filter(({ parent }) => !isFileName(parent.key))
      .filter((claim) =>
        claim.firstAnswer === null ? session === own : claim.firstAnswer === answer,
      )
      .filter(({ parent }) => parent.sessionId !== session.id)
      .flatMap(({ parent }) => {
        if (parent.sessionId !== session.parent?.sessionId)
          return accountsTo({ ...session, parent }, entry, above);
        return isName(parent.key)
          ? accountsByName({ ...session, parent: { ...parent, isOtherName: true } }, entry, above)
          : [];
      });
}

/** What it forwards of its own subagents has their names, and was told before. */
function accountsByName(
  session: RecordedSession,
  entry: Entry,
  above: PathState,
): readonly EventDraft[] {
  return accountsTo(session, entry, above).filter(
    ({ data }) => session.parent != null && data.keys.includes(session.parent.key),
  );
}

function accountsTo(session: RecordedSession, entry: Entry, above: PathState) {
  return recordEntry(session, entry, above).filter(isAccount);
}

function isAccount(draft: EventDraft): draft is EventDraft<'pi.subagent.accounted.v1'> {
  return draft.type === 'pi.subagent.accounted.v1';
}

/** The name of its file, in a form that its parent's tool results have. */
export function isFileName(key: string): boolean {
  return key.startsWith('file:');
}

/** The name of a subagent of omp, which its parent's task results claim it by. */
export function isName(key: string): boolean {
  return key.startsWith('agent:');
}
