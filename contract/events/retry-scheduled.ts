import { Type } from 'typebox';
import { defineEventType } from '../event-type.ts';
import { Count, DurationMs, EntryId, Nullable, OptionalText } from '../fields.ts';

/**
 * The host will ask again after an attempt that failed (omp tells; pi tells its extensions
 * nothing). Why it failed stands in the attempt's entry.
 */
export const retryScheduled = defineEventType({
  type: 'pi.retry.scheduled.v1',
  basis: 'live',
  data: Type.Object({
    /** The leaf at that time: the attempt that failed. */
    leafEntryId: Nullable(EntryId),
    promptEntryId: Nullable(EntryId),
    provider: OptionalText,
    model: OptionalText,
    /** From 1. */
    attempt: Count,
    attemptsMax: Nullable(Count),
    /** Until then. */
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
