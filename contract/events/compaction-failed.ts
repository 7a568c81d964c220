import { Type } from 'typebox';
import { Content, exampleContent } from '../content.ts';
import { defineEventType } from '../event-type.ts';
import { Count, DurationMs, Nullable, OptionalText } from '../fields.ts';

/**
 * A compaction that failed or was aborted: no entry tells of it. Where the host does not say so (pi
 * 0.73), one that began and had not ended by the next prompt or the end of the session, at the time
 * when it began.
 */
export const compactionFailed = defineEventType({
  type: 'pi.compaction.failed.v1',
  basis: 'live',
  data: Type.Object({
    trigger: OptionalText,
    aborted: Type.Boolean(),
    willRetry: Nullable(Type.Boolean()),
    durationMs: Nullable(DurationMs),
    /** Both as in `pi.compaction.timed.v1`. */
    instructionsChars: Type.Optional(Count),
    instructionsText: Type.Optional(Content),
    /** The summary that failed was an extension's. */
    fromExtension: Type.Optional(Type.Boolean()),
  }),
  example: {
    trigger: 'manual',
    aborted: false,
    willRetry: true,
    durationMs: 950,
    instructionsChars: 38,
    instructionsText: exampleContent,
    fromExtension: false,
  },
});
