import { Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import {
  DurationMs,
  EntryId,
  entryFields,
  Name,
  Nullable,
  OptionalText,
  Paths,
} from '../../fields.ts';
import { exampleSizes, Spend } from '../../spend.ts';

/**
 * One tool result, including failed ones and unknown tools. Neither arguments nor output are sent.
 */
export const toolCompleted = defineEventType({
  type: 'pi.tool.completed.v1',
  basis: 'entry',
  data: Type.Object({
    ...entryFields,
    /** The assistant entry that made the call: the nearest one above. */
    turnEntryId: Nullable(EntryId),
    toolCallId: OptionalText,
    toolName: Name,
    isError: Type.Boolean(),
    durationMs: Nullable(DurationMs),
    /** Files that the call's arguments name. */
    paths: Paths,
    /** Nested model work of the tool, if the host records it. */
    spend: Nullable(Spend),
  }),
  example: {
    entryId: '971baa5e',
    parentEntryId: '59fed433',
    promptEntryId: 'c15232cc',
    sizes: exampleSizes,
    turnEntryId: '59fed433',
    toolCallId: 'call_2_0',
    toolName: 'read',
    isError: false,
    durationMs: 15,
    paths: ['notes.txt'],
    spend: null,
  },
});
