import { Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import { Count, CountByName, DurationMs, EntryId, Nullable, Paths } from '../../fields.ts';

/**
 * One run as the live host saw it: from a prompt until the agent is idle. Retries are attempts of
 * the same run.
 */
export const runCompleted = defineEventType({
  type: 'pi.run.completed.v1',
  basis: 'live',
  data: Type.Object({
    promptEntryId: Nullable(EntryId),
    turns: Count,
    /** How often the host started the agent for it: 1 without retries. */
    attempts: Count,
    toolCalls: CountByName,
    /** Turns that failed or were aborted, and tools that failed. */
    errors: Count,
    filesModified: Paths,
    /** Monotonic. */
    durationMs: DurationMs,
    outcome: Type.Union([
      Type.Literal('completed'),
      Type.Literal('aborted'),
      Type.Literal('failed'),
      Type.Literal('length'),
    ]),
  }),
  example: {
    promptEntryId: 'c15232cc',
    turns: 6,
    attempts: 1,
    toolCalls: { bash: 1, read: 2, write: 1, edit: 1, grep: 1 },
    errors: 1,
    filesModified: ['out.txt'],
    durationMs: 1450.25,
    outcome: 'completed',
  },
});
