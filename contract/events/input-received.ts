import { Type } from 'typebox';
import { defineEventType } from '../event-type.ts';
import { EntryId, Nullable, OptionalText } from '../fields.ts';

/**
 * Something was said to the agent: from where, and when it will hear it. Its size stands in the
 * prompt's entry, its text nowhere.
 */
export const inputReceived = defineEventType({
  type: 'pi.input.received.v1',
  basis: 'live',
  data: Type.Object({
    /** The host's word: `interactive`, `rpc`, `extension`. omp tells of the first alone. */
    source: OptionalText,
    /**
     * `prompt`: the agent was at rest. At work it hears a `steer` after the tools that run, a
     * `followUp` when it is done. Null: at work, and the host does not say which (pi 0.73, omp).
     */
    delivery: Nullable(
      Type.Union([Type.Literal('prompt'), Type.Literal('steer'), Type.Literal('followUp')]),
    ),
    /** The leaf at that time. */
    leafEntryId: Nullable(EntryId),
    /** The prompt that was being answered; null at rest. */
    promptEntryId: Nullable(EntryId),
  }),
  example: {
    source: 'interactive',
    delivery: 'steer',
    leafEntryId: '59fed433',
    promptEntryId: 'c15232cc',
  },
});
