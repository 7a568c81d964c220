import { Type } from 'typebox';
import { defineEventType } from '../event-type.ts';
import { Count, CountByName, DurationMs, entryFields, Nullable, OptionalText } from '../fields.ts';
import { exampleSizes, exampleSpend, Spend } from '../spend.ts';

/**
 * One assistant message: an answer, or an attempt that failed or was aborted (`spend.reported` is
 * then false as a rule).
 */
export const turnCompleted = defineEventType({
  type: 'pi.turn.completed.v1',
  basis: 'entry',
  data: Type.Object({
    ...entryFields,
    /**
     * How many assistant entries stand between this one and its prompt; a retry counts as a turn of
     * its own.
     */
    turnIndex: Count,
    spend: Spend,
    thinkingLevel: OptionalText,
    /** The host's word: `stop`, `toolUse`, `length`, `error`, `aborted`, ... */
    stopReason: OptionalText,
    /** The provider's word, where the host keeps it. */
    rawStopReason: OptionalText,
    /** HTTP status of a failed attempt, where the host keeps it. */
    errorStatus: Nullable(Type.Integer()),
    /** When the request was made (wall clock, ms since 1970), where the message says so. */
    requestedAtMs: Nullable(Count),
    /**
     * Null on pi before 1.0: the event's time less `requestedAtMs` is it, within a few ms; live,
     * `pi.turn.timed.v1` measures it.
     */
    durationMs: Nullable(DurationMs),
    /** omp. What pi shows of it is in `pi.turn.timed.v1`. */
    timeToFirstTokenMs: Nullable(DurationMs),
    toolCalls: CountByName,
    /** The host's own count of system prompt and tool definitions (omp). */
    nonMessageTokens: Type.Optional(Count),
  }),
  example: {
    entryId: '59fed433',
    parentEntryId: '3557631d',
    promptEntryId: 'c15232cc',
    sizes: exampleSizes,
    turnIndex: 1,
    spend: exampleSpend,
    thinkingLevel: 'high',
    stopReason: 'toolUse',
    rawStopReason: 'tool_use',
    errorStatus: null,
    requestedAtMs: 1_795_295_540_864,
    durationMs: 26,
    timeToFirstTokenMs: 9.5,
    toolCalls: { read: 1 },
  },
});
