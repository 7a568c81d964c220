import { Type } from 'typebox';
import { Content, exampleContent } from '../../content.ts';
import { defineEventType } from '../../event-type.ts';
import { Count, DurationMs, Nullable, OptionalText } from '../../fields.ts';

/**
 * A compaction that failed or was aborted, which leaves no entry. If the host does not report it
 * (pi 0.73): a compaction that had not ended by the next prompt or the end of the session, at the
 * time it began.
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
    /** The failed summary was an extension's. */
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
