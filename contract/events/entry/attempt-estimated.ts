import { Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import { Count, EntryId, Nullable, OptionalText } from '../../fields.ts';

/**
 * An upper estimate for an attempt that reported nothing (failed, aborted): the most that can have
 * been sent, at the highest rate that the last answer paid for input. Never part of any total.
 */
export const attemptEstimated = defineEventType({
  type: 'pi.attempt.estimated.v1',
  basis: 'entry',
  data: Type.Object({
    /** The unreported answer. */
    entryId: EntryId,
    provider: OptionalText,
    model: OptionalText,
    /** Total input, cached or not, and the output before it broke off. */
    tokensMax: Count,
    /** 10^-9 USD; null if no answer above has a price, or the model differs. */
    costNanoUsdMax: Nullable(Count),
    /**
     * `host`: the host's own context figure for this attempt (omp); `previous`: the context after
     * the answer before it.
     */
    source: Type.Union([Type.Literal('host'), Type.Literal('previous')]),
  }),
  example: {
    entryId: '59fed433',
    provider: 'anthropic',
    model: 'claude-sonnet-5',
    tokensMax: 48_200,
    costNanoUsdMax: 180_750_000,
    source: 'previous',
  },
});
