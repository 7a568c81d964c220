/**
 * Prices of a catalogue, and what a record costs by them. Exact: prices are integers of 10^-18 USD
 * per token, and each record is rounded once, half to even, to 10^-9 USD. Pure.
 *
 * - Input that is not cached, cache reads, cache writes and output are priced by themselves;
 *   reasoning is part of output, and has a price of its own only where the catalogue says so. Cache
 *   writes that last an hour cost twice the input, as the hosts have it (no catalogue says).
 * - The tier is chosen by what was sent in all, cached or not: the highest one that lies below it,
 *   for the whole record.
 * - Nothing is guessed: without a price for something that a record has, the record has none.
 */

/** 10^-18 USD per token; null where the catalogue has no such price. */
export interface Rates {
  readonly input: bigint;
  readonly output: bigint;
  readonly cacheRead: bigint | null;
  readonly cacheWrite: bigint | null;
  /** Null: as the rest of the output. */
  readonly reasoning: bigint | null;
}

export type ModelPrice =
  | { readonly is: 'priced'; readonly base: Rates; readonly tiers: readonly Tier[] }
  /** The catalogue has the model, and nothing that a record can be priced by. */
  | { readonly is: 'unpriced'; readonly reason: 'no_price' | 'zero_price' | 'unknown_tier' };

/** For records that send more than this, cached or not. The highest counts. */
export interface Tier {
  readonly aboveTokens: number;
  readonly rates: Rates;
}

export interface PriceList {
  /** Null when the catalogue does not know the model. */
  find(provider: string, model: string): ModelPrice | null;
}

export interface PricedTokens {
  readonly inputTokens: number | bigint;
  readonly outputTokens: number | bigint;
  readonly cacheReadTokens: number | bigint;
  readonly cacheWriteTokens: number | bigint;
  readonly reasoningTokens: number | bigint | null;
  readonly cacheWrite1hTokens: number | bigint | null;
  /** Of several requests in one sum the tier is not known: the base rates. */
  readonly isOneRequest: boolean;
}

/** 10^-9 USD; null without a price for something in it. */
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

/** `tiers` ascend. */
function ratesFor(
  { base, tiers }: Extract<ModelPrice, { is: 'priced' }>,
  sentTokens: bigint,
): Rates {
  return tiers.findLast(({ aboveTokens }) => sentTokens > BigInt(aboveTokens))?.rates ?? base;
}

/** Of nothing the price need not be known. */
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
