import { Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import { EntryId, Name, Nullable, OptionalText } from '../../fields.ts';
import { exampleSpend, Spend } from '../../spend.ts';

/**
 * What a tool result's details say that a subagent spent; the subject is the claiming session. The
 * subagent may have recorded the same spend itself (`subagent.accounted`): only the excess of the
 * claim counts. `claimed.rawUsage` is the claim's own figure, verbatim.
 */
export const subagentClaimed = defineEventType({
  type: 'pi.subagent.claimed.v1',
  basis: 'entry',
  data: Type.Object({
    /** The tool result. */
    entryId: EntryId,
    turnEntryId: Nullable(EntryId),
    toolCallId: OptionalText,
    agentName: OptionalText,
    /**
     * Matches claims and accounts: `agent:<name>` (omp: the subagent's name, as in its file's name;
     * everything it spent on answers) or `response:<16 hex>` (pi's subagent tools repeat single
     * answers: `responseKeyOf`).
     */
    key: Name,
    claimed: Spend,
  }),
  example: {
    entryId: 'c1531ba3',
    turnEntryId: '1644f83a',
    toolCallId: 'call_249_0',
    agentName: 'task',
    key: 'agent:SubA',
    claimed: exampleSpend,
  },
});
