import { Type } from 'typebox';
import { defineEventType } from '../event-type.ts';
import { DurationMs, Nullable, OptionalText } from '../fields.ts';

/** A compaction that failed or was aborted: no entry tells of it. */
export const compactionFailed = defineEventType({
  type: 'pi.compaction.failed.v1',
  basis: 'live',
  data: Type.Object({
    trigger: OptionalText,
    aborted: Type.Boolean(),
    willRetry: Nullable(Type.Boolean()),
    durationMs: Nullable(DurationMs),
  }),
  example: { trigger: 'overflow', aborted: false, willRetry: true, durationMs: 950 },
});
