import { Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import { Count, DurationMs, EntryId, HttpStatus, Nullable, OptionalText } from '../../fields.ts';

/**
 * How fast an answer came, measured in a running pi. Times that the entry contains are not repeated
 * here: omp's entries have both figures, those of pi 1.x the duration (`pi.turn.completed.v1`).
 */
export const turnTimed = defineEventType({
  type: 'pi.turn.timed.v1',
  basis: 'live',
  data: Type.Object({
    /** The answer, or the failed attempt. */
    entryId: EntryId,
    promptEntryId: Nullable(EntryId),
    provider: OptionalText,
    model: OptionalText,
    /**
     * From the request to the start of the answer's stream; the first token follows. (pi reports
     * tokens individually or not at all.) Includes the HTTP client's own retries. Null: no answer
     * began.
     */
    timeToFirstByteMs: Nullable(DurationMs),
    /** From the request to the end of the answer. Null if the entry has it. */
    durationMs: Nullable(DurationMs),
    /** HTTP status of the response. Null if the host reported none, as pi for most failures. */
    status: Nullable(HttpStatus),
    /** It is null if the answer failed, was aborted or reported nothing. Absent: not recorded. */
    outputTokens: Type.Optional(Nullable(Count)),
  }),
  example: {
    entryId: '59fed433',
    promptEntryId: 'c15232cc',
    provider: 'anthropic',
    model: 'claude-sonnet-5',
    timeToFirstByteMs: 812.4,
    durationMs: 9_204.75,
    status: 200,
    outputTokens: 51,
  },
});
