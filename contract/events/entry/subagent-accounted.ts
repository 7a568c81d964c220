import { Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import { EntryId, Name } from '../../fields.ts';
import { exampleSpend, Spend } from '../../spend.ts';
import { tokenCounts, tokenMeasures } from '../../spend-shape.ts';

/**
 * What a subagent recorded, accounted to its parent: an answer, or what its own tool results claim
 * in turn (a parent's tool result repeats that too). The subject is the parent session. The
 * subagent's own records count; this event only reduces what the parent claims under the same keys.
 */
export const subagentAccounted = defineEventType({
  type: 'pi.subagent.accounted.v1',
  basis: 'entry',
  data: Type.Object({
    childSessionId: Name,
    /** The answer, or the tool result that claims it, in the child's session. */
    childEntryId: EntryId,
    /**
     * `agent:<name>`; or `response:<16 hex>` with `turn:<id of the parent's assistant entry>`, or
     * with `session:<childSessionId>` where the turn is not known. See `subagent.claimed`. Only
     * `response:` for what its tools spent, and `beside:<childSessionId>` for what its host spent
     * beside answers: a tool result of the parent may include these or not.
     */
    keys: Type.Array(Name, { minItems: 1, maxItems: 4 }),
    accounted: Type.Pick(Spend, [...tokenMeasures, 'reasoningTokens', 'reported', 'costNanoUsd']),
  }),
  example: {
    childSessionId: '01a1fff6-564e-748f-bc46-af2dff1725e9',
    childEntryId: 'c42768b9',
    keys: ['agent:SubA'],
    accounted: {
      ...tokenCounts(exampleSpend),
      reasoningTokens: exampleSpend.reasoningTokens,
      reported: exampleSpend.reported,
      costNanoUsd: exampleSpend.costNanoUsd,
    },
  },
});
