import { type Static, Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import { Count, DurationMs, EntryId, HttpStatus, Nullable, OptionalText } from '../../fields.ts';

const Amount = Type.Number({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** One limit from a response's headers. Null: not given. */
const RateLimit = Type.Object({
  /**
   * What is limited, and in which window, in the provider's words: `requests`, `input-tokens`,
   * `unified-5h`, `unified-7d`, `codex-300m`, ... A closed vocabulary.
   */
  window: Type.String({ minLength: 1, maxLength: 60 }),
  limit: Nullable(Amount),
  remaining: Nullable(Amount),
  /** Used share of the limit: 0.8 is four fifths. */
  utilization: Nullable(Amount),
  /** Wall clock, ms since 1970. */
  resetAtMs: Nullable(Count),
  status: Nullable(
    Type.Union([
      Type.Literal('allowed'),
      Type.Literal('allowed_warning'),
      Type.Literal('rejected'),
    ]),
  ),
});
export type RateLimit = Static<typeof RateLimit>;

/**
 * What a provider's HTTP response said about its limits, or that it was an error. Only rate limit
 * headers are read, by name, and of these only numbers and times: no request id, no key, no cookie.
 * A successful response without limits is not recorded.
 *
 * Hosts report responses to all their requests, including those for summaries.
 */
export const responseReceived = defineEventType({
  type: 'pi.response.received.v1',
  basis: 'live',
  data: Type.Object({
    /** The leaf at that time: the answer to this response is below it (its `parentEntryId`). */
    leafEntryId: Nullable(EntryId),
    promptEntryId: Nullable(EntryId),
    /** The requested model's provider; in pi the currently selected one. */
    provider: OptionalText,
    model: OptionalText,
    status: Nullable(HttpStatus),
    retryAfterMs: Nullable(DurationMs),
    limits: Type.Array(RateLimit, { maxItems: 16 }),
  }),
  example: {
    leafEntryId: 'c15232cc',
    promptEntryId: 'c15232cc',
    provider: 'anthropic',
    model: 'claude-sonnet-5',
    status: 200,
    retryAfterMs: null,
    limits: [
      {
        window: 'unified-5h',
        limit: null,
        remaining: null,
        utilization: 0.42,
        resetAtMs: 1_795_312_800_000,
        status: 'allowed',
      },
      {
        window: 'requests',
        limit: 4_000,
        remaining: 3_999,
        utilization: null,
        resetAtMs: 1_795_295_541_000,
        status: null,
      },
    ],
  },
});
