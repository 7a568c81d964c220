import { Type } from 'typebox';
import { defineEventType } from '../event-type.ts';
import { Count, EntryId, Nullable, OptionalText } from '../fields.ts';

/**
 * How full the context window is: after an answer by the provider's own count, after a compaction by the host's estimate.
 * `source` is `unknown` where the host says nothing (right after a compaction): tokens and percent are then null, not 0.
 */
export const contextSampled = defineEventType({
  type: 'pi.context.sampled.v1',
  basis: 'live',
  data: Type.Object({
    /** The leaf at the time of the sample. */
    entryId: Nullable(EntryId),
    provider: OptionalText,
    model: OptionalText,
    tokens: Nullable(Count),
    windowTokens: Nullable(Count),
    /** 0 to 100, and above when the window is exceeded. */
    percent: Nullable(Type.Number({ minimum: 0 })),
    source: Type.Union([Type.Literal('provider'), Type.Literal('estimate'), Type.Literal('unknown')]),
  }),
  example: {
    entryId: '971baa5e',
    provider: 'anthropic',
    model: 'claude-sonnet-5',
    tokens: 2157,
    windowTokens: 200_000,
    percent: 1.0785,
    source: 'estimate',
  },
});
