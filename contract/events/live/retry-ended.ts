import { Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import { Count, DurationMs, EntryId, Nullable, OptionalText } from '../../fields.ts';

/** Retries ended: one of them succeeded, or the host gave up (omp). */
export const retryEnded = defineEventType({
  type: 'pi.retry.ended.v1',
  basis: 'live',
  data: Type.Object({
    /** The leaf at that time: the last attempt. */
    leafEntryId: Nullable(EntryId),
    promptEntryId: Nullable(EntryId),
    provider: OptionalText,
    model: OptionalText,
    attempts: Count,
    succeeded: Type.Boolean(),
    /** Since the first retry was scheduled; monotonic. Null if that was not seen. */
    durationMs: Nullable(DurationMs),
  }),
  example: {
    leafEntryId: '7eb7e8ee',
    promptEntryId: 'fcab7523',
    provider: 'anthropic',
    model: 'claude-sonnet-5',
    attempts: 3,
    succeeded: false,
    durationMs: 866.5,
  },
});
