import { Type } from 'typebox';
import { Content, exampleContent } from '../../content.ts';
import { defineEventType } from '../../event-type.ts';
import { Count, DurationMs, EntryId, Nullable, OptionalText } from '../../fields.ts';

/** What only the live host knows about a compaction: its reason and duration. */
export const compactionTimed = defineEventType({
  type: 'pi.compaction.timed.v1',
  basis: 'live',
  data: Type.Object({
    /** The compaction entry. */
    entryId: Nullable(EntryId),
    /**
     * `manual`, `threshold`, `overflow`; omp also `idle`, `incomplete`. Null if the host does not
     * say (pi before 0.80).
     */
    trigger: OptionalText,
    willRetry: Nullable(Type.Boolean()),
    /** Monotonic, from `session_before_compact`. */
    durationMs: Nullable(DurationMs),
    /**
     * Length of the user's instructions for the summary; 0: none. Absent if the host does not say.
     */
    instructionsChars: Type.Optional(Count),
    /**
     * The instructions, if `auditContent` is set on the recording machine. Absent: none, or not
     * sent.
     */
    instructionsText: Type.Optional(Content),
    /** An extension supplied the summary. */
    fromExtension: Type.Optional(Type.Boolean()),
  }),
  example: {
    entryId: 'a70dd6a6',
    trigger: 'manual',
    willRetry: false,
    durationMs: 18_204,
    instructionsChars: 42,
    instructionsText: exampleContent,
    fromExtension: false,
  },
});
