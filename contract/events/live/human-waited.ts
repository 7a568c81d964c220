import { Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import { DurationMs, EntryId, Name, Nullable, OptionalText } from '../../fields.ts';

/**
 * The agent waited for its user: for an approval (omp), or at an extension's dialog (pi >= 0.87).
 * Question and answer are not recorded. The wait for an approval is part of its tool's time
 * (`pi.tool.timed.v1`).
 */
export const humanWaited = defineEventType({
  type: 'pi.human.waited.v1',
  basis: 'live',
  data: Type.Object({
    /** `approval`, or the kind of dialog: `select`, `confirm`, `input`, `editor`, `custom`. */
    kind: Name,
    /** For an approval. */
    toolCallId: OptionalText,
    toolName: OptionalText,
    approved: Nullable(Type.Boolean()),
    /** False: the session ended first. */
    answered: Type.Boolean(),
    turnEntryId: Nullable(EntryId),
    promptEntryId: Nullable(EntryId),
    /** Monotonic. */
    durationMs: DurationMs,
  }),
  example: {
    kind: 'approval',
    toolCallId: 'call_2_0',
    toolName: 'bash',
    approved: true,
    answered: true,
    turnEntryId: '59fed433',
    promptEntryId: 'c15232cc',
    durationMs: 14_320.5,
  },
});
