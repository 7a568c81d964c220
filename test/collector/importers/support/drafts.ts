/** Drafts that say only whether they spend and whether they claim. */
import type { EventDraft } from '../../../../core/record/draft.ts';

export const draft = (type: string, data: object = {}, more: object = {}) =>
  ({
    id: type,
    type,
    time: '2026-11-20T09:00:00.000Z',
    subject: 's',
    data,
    ...more,
  }) as never as EventDraft;
export const spending = draft('pi.turn.completed.v1', { spend: { inputTokens: 1 } });
export const free = draft('pi.tool.completed.v1', { spend: null });
export const claiming = draft('pi.subagent.claimed.v1', {
  key: 'response:1',
  entryId: 'e',
  turnEntryId: 't',
});
