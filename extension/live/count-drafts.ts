/** Adds what was appended to the totals of its session and of the day. */
import type { EventDraft } from '../../core/record/draft.ts';
import { addDraft } from './add-spend.ts';
import type { DayTotals } from './day-totals.ts';
import { withoutRepeated } from './repeated-spend.ts';
import type { SessionState } from './session-state.ts';
import { storeWeight } from './weights.ts';

export function countDrafts(
  state: SessionState,
  drafts: readonly EventDraft[],
  sessions: readonly SessionState[],
  days: DayTotals,
): void {
  for (const draft of drafts) {
    const counted = withoutRepeated(draft, drafts, state, sessions);
    if (counted !== null) {
      addDraft(state.totals, counted, state.billing);
      days.add(counted, state.billing);
    }
    storeWeight(state.weights, draft);
  }
}
