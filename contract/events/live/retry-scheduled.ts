import { Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import { Count, DurationMs, EntryId, Nullable, OptionalText } from '../../fields.ts';

/**
 * The host will retry after a failed attempt (omp only; pi does not report it). The reason is in
 * the attempt's entry.
 */
export const retryScheduled = defineEventType({
  type: 'pi.retry.scheduled.v1',
  basis: 'live',
  data: Type.Object({
    /** The leaf at that time: the failed attempt. */
    leafEntryId: Nullable(EntryId),
    promptEntryId: Nullable(EntryId),
    provider: OptionalText,
    model: OptionalText,
    /** From 1. */
    attempt: Count,
    attemptsMax: Nullable(Count),
    /** Until the retry. */
    delayMs: Nullable(DurationMs),
  }),
  example: {
    leafEntryId: '67cf9dd3',
    promptEntryId: 'fcab7523',
    provider: 'anthropic',
    model: 'claude-sonnet-5',
    attempt: 1,
    attemptsMax: 3,
    delayMs: 2_000,
  },
});
