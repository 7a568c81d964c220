import { Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import { DurationMs, OptionalText } from '../../fields.ts';

/** The host shut the session down. Not guaranteed: never sent after a kill. */
export const sessionEnded = defineEventType({
  type: 'pi.session.ended.v1',
  basis: 'live',
  data: Type.Object({
    /** As the host calls it (`quit`, `new`, `resume`, `fork`, ...); omp gives none. */
    reason: OptionalText,
    /** From the session's start in this process, by a monotonic clock. */
    durationMs: DurationMs,
  }),
  example: { reason: 'quit', durationMs: 61_250.5 },
});
