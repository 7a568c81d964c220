import { Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import { DurationMs, Name } from '../../fields.ts';

/** How long a tool ran, from its start to its end, by the host's monotonic clock. */
export const toolTimed = defineEventType({
  type: 'pi.tool.timed.v1',
  basis: 'live',
  data: Type.Object({
    toolCallId: Name,
    toolName: Name,
    isError: Type.Boolean(),
    durationMs: DurationMs,
  }),
  example: { toolCallId: 'call_2_0', toolName: 'read', isError: false, durationMs: 14.2 },
});
