import { type Static, Type } from 'typebox';
import { Nullable, OptionalText } from './fields.ts';

/**
 * 10^12: far above any answer, and low enough that sums over 9 million such records stay exact in
 * 64 bits.
 */
const Tokens = Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 });

/** A million dollars, for the same reason. */
const CostNanoUsd = Type.Integer({ minimum: 0, maximum: 1_000_000_000_000_000 });

/**
 * One unit of spend, wherever the host recorded it (an answer, a tool's nested model work, a
 * compaction, a branch summary, a side call).
 *
 * - `inputTokens` excludes cache. `reasoningTokens` is part of `outputTokens`, `cacheWrite1hTokens`
 *   part of `cacheWriteTokens`: neither is ever added on top. Null means that the host did not say.
 * - `orchestration` (omp): what the provider spent around the answer, part of the three counts of
 *   the same names. Absent where the host says nothing of it, and in older events, whose counts
 *   lack it.
 * - `reported` is false if every figure is zero: a failed or aborted attempt whose real spend is
 *   lost. It is not free.
 * - `costNanoUsd`: 10^-9 USD, the host's `cost.total` rounded once, half to even. Null if
 *   unreported or unpriced.
 * - `costSource`: `provider` billed it, the host's `catalog` priced it, or `unpriced` (list price
 *   unknown; never shown as $0).
 * - `rawUsage` is the host's usage object, verbatim; only its known figures if it holds what no
 *   usage holds (long texts, thousands of members, more than 16 levels).
 */
export const Spend = Type.Object({
  provider: OptionalText,
  api: OptionalText,
  /** The requested model. */
  model: OptionalText,
  /** The model that answered, if the host says so. */
  responseModel: OptionalText,
  responseId: OptionalText,
  inputTokens: Tokens,
  outputTokens: Tokens,
  cacheReadTokens: Tokens,
  cacheWriteTokens: Tokens,
  reasoningTokens: Nullable(Tokens),
  cacheWrite1hTokens: Nullable(Tokens),
  orchestration: Type.Optional(
    Type.Object({ inputTokens: Tokens, outputTokens: Tokens, cacheReadTokens: Tokens }),
  ),
  reported: Type.Boolean(),
  costNanoUsd: Nullable(CostNanoUsd),
  costSource: Type.Union([
    Type.Literal('provider'),
    Type.Literal('catalog'),
    Type.Literal('unpriced'),
  ]),
  rawUsage: Type.Record(Type.String(), Type.Unknown()),
});
export type Spend = Static<typeof Spend>;

export const exampleSpend: Spend = {
  provider: 'anthropic',
  api: 'anthropic-messages',
  model: 'claude-sonnet-5',
  responseModel: null,
  responseId: 'msg_01',
  inputTokens: 410,
  outputTokens: 51,
  cacheReadTokens: 700,
  cacheWriteTokens: 300,
  reasoningTokens: 20,
  cacheWrite1hTokens: 0,
  reported: true,
  costNanoUsd: 2_328_000,
  costSource: 'catalog',
  rawUsage: {
    input: 410,
    output: 51,
    cacheRead: 700,
    cacheWrite: 300,
    reasoning: 20,
    cacheWrite1h: 0,
    totalTokens: 1461,
    cost: {
      input: 0.00082,
      output: 0.000408,
      cacheRead: 0.00035,
      cacheWrite: 0.00075,
      total: 0.002328,
    },
  },
};

export const exampleSizes = {
  textChars: 8,
  thinkingChars: 0,
  toolCallChars: 24,
  otherChars: 0,
  images: 0,
};
