import { Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import {
  Count,
  CountByName,
  DurationMs,
  entryFields,
  Nullable,
  OptionalText,
} from '../../fields.ts';
import { exampleSizes, exampleSpend, Spend } from '../../spend.ts';

/**
 * One assistant message: an answer, or an attempt that failed or was aborted (`spend.reported` is
 * then usually false).
 */
export const turnCompleted = defineEventType({
  type: 'pi.turn.completed.v1',
  basis: 'entry',
  data: Type.Object({
    ...entryFields,
    /**
     * Number of assistant entries between this one and its prompt; a retry counts as a separate
     * turn.
     */
    turnIndex: Count,
    spend: Spend,
    thinkingLevel: OptionalText,
    /** As the host calls it: `stop`, `toolUse`, `length`, `error`, `aborted`, ... */
    stopReason: OptionalText,
    /** As the provider calls it, if the host keeps it. */
    rawStopReason: OptionalText,
    /** HTTP status of a failed attempt, if the host keeps it. */
    errorStatus: Nullable(Type.Integer()),
    /** When the request was made (wall clock, ms since 1970), if the message says so. */
    requestedAtMs: Nullable(Count),
    /**
     * It is null on pi before 1.0: approximately the event's time minus `requestedAtMs`; live,
     * `pi.turn.timed.v1` measures it.
     */
    durationMs: Nullable(DurationMs),
    /** omp only. pi's equivalent is in `pi.turn.timed.v1`. */
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
