/**
 * Holds back that a session exists until an entry of its own makes it known: a subagent or a fork
 * of a private stretch stays unknown until it is resumed.
 */
import type { EventDraft } from '@pi-ledger/core/record/draft';
import type { Entry } from '@pi-ledger/core/record/entry';
import { makesKnown } from '@pi-ledger/core/record/privacy';

export interface HeldStart {
  /** What may be told now. `drafts` are those of this entry. */
  take(entry: Entry, drafts: readonly EventDraft[]): readonly EventDraft[];
  /** After the file's last entry. */
  end(drafts: readonly EventDraft[], isPrivate: boolean): readonly EventDraft[];
  /** Absent from what is remembered once the session is known. */
  readonly standing: { readonly held?: readonly EventDraft[] };
}

/** `held`: what the session begins with; null once it is known. */
export function createHeldStart(sessionId: string, held: readonly EventDraft[] | null): HeldStart {
  let waiting = held;

  function hold(drafts: readonly EventDraft[], isKnown: boolean): readonly EventDraft[] {
    if (waiting === null) return drafts;
    const all = [...waiting, ...drafts];
    waiting = isKnown ? null : all;
    return isKnown ? all : [];
  }

  return {
    /** Copies are events of other sessions. */
    take(entry, drafts) {
      const isOwn = drafts.some(({ subject }) => subject === sessionId);
      return isOwn ? hold(drafts, makesKnown(entry)) : drafts;
    },
    end: (drafts, isPrivate) => hold(drafts, !isPrivate),
    get standing() {
      return waiting === null ? {} : { held: waiting };
    },
  };
}
