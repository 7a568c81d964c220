import { Type } from 'typebox';
import { defineEventType } from '../event-type.ts';
import { DurationMs, EntryId, HttpStatus, Nullable, OptionalText } from '../fields.ts';

/**
 * How fast an answer came, as pi shows it while it runs. What an entry says of its own time is not
 * repeated here: omp's entries have both figures, those of pi 1.x the duration
 * (`pi.turn.completed.v1`).
 */
export const turnTimed = defineEventType({
  type: 'pi.turn.timed.v1',
  basis: 'live',
  data: Type.Object({
    /** The answer, or the attempt that failed. */
    entryId: EntryId,
    promptEntryId: Nullable(EntryId),
    provider: OptionalText,
    model: OptionalText,
    /**
     * From the request to the beginning of the answer's stream, which the first token follows: pi
     * tells of tokens one by one or not at all. The HTTP client's own retries are in it. Null: no
     * answer began.
     */
    timeToFirstByteMs: Nullable(DurationMs),
    /** From the request to the end of the answer. Null where the entry says it. */
    durationMs: Nullable(DurationMs),
    /**
     * HTTP status of the response. Null where the host told of none: pi does not for most failures.
     */
    status: Nullable(HttpStatus),
  }),
  example: {
    entryId: '59fed433',
    promptEntryId: 'c15232cc',
    provider: 'anthropic',
    model: 'claude-sonnet-5',
    timeToFirstByteMs: 812.4,
    durationMs: 9_204.75,
    status: 200,
  },
});
