import { Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import { EntryId, Nullable, OptionalText } from '../../fields.ts';

/**
 * The user (or a program) sent input to the agent: its source, and when the agent gets it. Its size
 * is in the prompt's entry; its text is not recorded.
 */
export const inputReceived = defineEventType({
  type: 'pi.input.received.v1',
  basis: 'live',
  data: Type.Object({
    /** As the host calls it: `interactive`, `rpc`, `extension`. omp reports only the first. */
    source: OptionalText,
    /**
     * `prompt`: the agent was idle. A working agent gets a `steer` after the running tools, a
     * `followUp` when it is done. Null: it was working, and the host does not say which (pi 0.73,
     * omp).
     */
    delivery: Nullable(
      Type.Union([Type.Literal('prompt'), Type.Literal('steer'), Type.Literal('followUp')]),
    ),
    /** The leaf at that time. */
    leafEntryId: Nullable(EntryId),
    /** The prompt being answered; null if idle. */
    promptEntryId: Nullable(EntryId),
  }),
  example: {
    source: 'interactive',
    delivery: 'steer',
    leafEntryId: '59fed433',
    promptEntryId: 'c15232cc',
  },
});
