/**
 * A catalogue's prices and the cost of a record. Exact: prices are integers of 10^-18 USD per
 * token, and each record is rounded once, half to even, to 10^-9 USD. Pure.
 *
 * - Uncached input, cache reads, cache writes and output are priced separately. Reasoning is part
 *   of the output and has its own price only where the catalogue says so. Cache writes that last an
 *   hour cost twice the input price, as on the hosts (no catalogue says).
 * - The tier is chosen by all tokens sent, cached or not: the highest one below that number applies
 *   to the whole record.
 * - Nothing is guessed: a record with any unpriced part has no price.
 */

/** 10^-18 USD per token; null when the catalogue has no such price. */
export interface Rates {
  readonly input: bigint;
  readonly output: bigint;
  readonly cacheRead: bigint | null;
  readonly cacheWrite: bigint | null;
  /** When it is null, reasoning costs the same as the rest of the output. */
  readonly reasoning: bigint | null;
}

export type ModelPrice =
  | { readonly is: 'priced'; readonly base: Rates; readonly tiers: readonly Tier[] }
  /** The catalogue has the model, but no usable price. */
  | { readonly is: 'unpriced'; readonly reason: 'no_price' | 'zero_price' | 'unknown_tier' };

/** For records that send more than this, cached or not. The highest such tier applies. */
export interface Tier {
  readonly aboveTokens: number;
  readonly rates: Rates;
}

export interface PriceList {
  /** Returns null when the catalogue does not know the model. */
  find(provider: string, model: string): ModelPrice | null;
}

export interface PricedTokens {
  readonly inputTokens: number | bigint;
  readonly outputTokens: number | bigint;
  readonly cacheReadTokens: number | bigint;
  readonly cacheWriteTokens: number | bigint;
  readonly reasoningTokens: number | bigint | null;
  readonly cacheWrite1hTokens: number | bigint | null;
  /** False for a sum of several requests, whose tier is unknown: the base rates apply. */
  readonly isOneRequest: boolean;
}

/** 10^-9 USD; null when any part has no price. */
export function priceOf(price: ModelPrice, tokens: PricedTokens): bigint | null {
  if (price.is === 'unpriced') return null;
  const [input, cacheRead, cacheWrite] = [
    tokens.inputTokens,
    tokens.cacheReadTokens,
    tokens.cacheWriteTokens,
  ].map(BigInt) as Three;
  const rates = tokens.isOneRequest ? ratesFor(price, input + cacheRead + cacheWrite) : price.base;
  const long = atMost(BigInt(tokens.cacheWrite1hTokens ?? 0), cacheWrite);
  const output = BigInt(tokens.outputTokens);
  const reasoning =
    rates.reasoning === null ? 0n : atMost(BigInt(tokens.reasoningTokens ?? 0), output);
  const parts = [
    input * rates.input,
    times(cacheRead, rates.cacheRead),
    times(cacheWrite - long, rates.cacheWrite),
    long * 2n * rates.input,
    (output - reasoning) * rates.output,
    reasoning * (rates.reasoning ?? 0n),
  ];
  const sum = parts.reduce(
    (all: bigint | null, part) => (all === null || part === null ? null : all + part),
    0n,
  );
  return sum === null ? null : roundedHalfToEven(sum, unitsPerNanoUsd);
}

type Three = [bigint, bigint, bigint];

const unitsPerNanoUsd = 1_000_000_000n;

/** `tiers` must be ascending. */
function ratesFor(
  { base, tiers }: Extract<ModelPrice, { is: 'priced' }>,
  sentTokens: bigint,
): Rates {
  return tiers.findLast(({ aboveTokens }) => sentTokens > BigInt(aboveTokens))?.rates ?? base;
}

/** Zero tokens cost nothing, even without a price. */
function times(tokens: bigint, rate: bigint | null): bigint | null {
  if (tokens === 0n) return 0n;
  return rate === null ? null : tokens * rate;
}

function atMost(value: bigint, limit: bigint): bigint {
  return value < limit ? value : limit;
}

function roundedHalfToEven(value: bigint, unit: bigint): bigint {
  const whole = value / unit;
  const twice = (value % unit) * 2n;
  const isUp = twice > unit || (twice === unit && whole % 2n === 1n);
  return isUp ? whole + 1n : whole;
}
