import { Type } from 'typebox';
import { defineEventType } from '../event-type.ts';
import { DurationMs, EntryId, Nullable, OptionalText } from '../fields.ts';

/** What only the live host knows about a compaction: why it happened and how long it took. */
export const compactionTimed = defineEventType({
  type: 'pi.compaction.timed.v1',
  basis: 'live',
  data: Type.Object({
    /** The compaction entry. */
    entryId: Nullable(EntryId),
    /** `manual`, `threshold`, `overflow`; null where the host does not say. */
    trigger: OptionalText,
    willRetry: Nullable(Type.Boolean()),
    /** Monotonic, from `session_before_compact`. */
    durationMs: Nullable(DurationMs),
  }),
  example: { entryId: 'a70dd6a6', trigger: 'threshold', willRetry: false, durationMs: 18_204 },
});
