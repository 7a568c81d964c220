/** Accounts of an entry to sessions that claim it besides the nearest parent. Pure. */
import type { EventDraft } from '@pi-ledger/extension/record/draft';
import type { Entry } from '@pi-ledger/extension/record/entry';
import type { Session } from '@pi-ledger/extension/record/entry-draft';
import type { PathState } from '@pi-ledger/extension/record/path-state';
import { recordEntry } from '@pi-ledger/extension/record/record-entry';
import type { AnswerClaim } from './reader-state.ts';

/** `own`: the file's session. `answer`: the first answer of the entry's session. */
export function createOtherAccounts(alsoClaimedBy: readonly AnswerClaim[], own: Session) {
  return (
    above: PathState,
    session: Session,
    entry: Entry,
    answer: string | null,
  ): readonly EventDraft[] =>
    alsoClaimedBy
      .filter((claim) =>
        claim.firstAnswer === null ? session === own : claim.firstAnswer === answer,
      )
      .filter(
        ({ parent }) =>
          parent.sessionId !== session.id && parent.sessionId !== session.parent?.sessionId,
      )
      .flatMap(({ parent }) =>
        recordEntry({ ...session, parent }, entry, above).filter(
          ({ type }) => type === 'pi.subagent.accounted.v1',
        ),
      );
}
