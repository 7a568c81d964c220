import type { EventDraft } from '../../../../core/record/draft.ts';

/** A realistic event identified by its number; `textChars` sets its length. */
export function draftOf(
  number: number,
  options: { textChars?: number; sessionId?: string } = {},
): EventDraft {
  const id = `019aa000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;
  return {
    id,
    type: 'pi.compaction.failed.v1',
    time: '2026-11-21T10:00:00.000Z',
    subject: options.sessionId ?? 'session-1',
    data: {
      trigger: 'x'.repeat(options.textChars ?? 8),
      aborted: false,
      willRetry: null,
      durationMs: null,
    },
  };
}

export const draftsOf = (first: number, last: number): EventDraft[] =>
  Array.from({ length: last - first + 1 }, (_, index) => draftOf(first + index));

export const idOf = (number: number): string => draftOf(number).id;
export const idsOf = (first: number, last: number): string[] =>
  draftsOf(first, last).map(({ id }) => id);
