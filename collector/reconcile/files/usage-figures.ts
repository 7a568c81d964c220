/**
 * Turns a host's usage object into the figures of a unit. Independent of the code that records, so
 * that each can catch the other's mistakes. Pure.
 */
import type { PriceSource, Unit, UnitTokens } from '../unit.ts';
export type Json = Readonly<Record<string, unknown>>;

type UsageFigures = Pick<Unit, 'tokens' | 'reported' | 'nanoUsd' | 'priceSource'>;

/** The contract's limit for a count of tokens. */
const tokensMax = 1e12;

/** A missing usage object counts as one that reports nothing. */
export function usageFigures(usage: Json): UsageFigures {
  // pi's subagent tools add the costs of all answers up to one number.
  const cost =
    typeof usage.cost === 'number' ? { total: usage.cost } : (jsonObject(usage.cost) ?? {});
  const total = typeof cost.total === 'number' ? cost.total : null;
  const said = [
    usage.input,
    usage.output,
    usage.cacheRead,
    usage.cacheWrite,
    usage.totalTokens,
    total,
  ];
  const reported = said.some(
    (figure) => typeof figure === 'number' && figure > 0 && figure < Number.POSITIVE_INFINITY,
  );
  return {
    tokens: readTokens(usage),
    reported,
    ...readPrice(total, 'totalFromProvider' in cost && cost.totalFromProvider === true, reported),
  };
}

export function jsonObject(value: unknown): Json | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Json)
    : null;
}

function readTokens(usage: Json): UnitTokens {
  // omp keeps what the provider spent around the answer apart.
  const around = jsonObject(usage.orchestration) ?? {};
  return {
    input: addUp(usage.input, around.input),
    output: addUp(usage.output, around.output),
    cacheRead: addUp(usage.cacheRead, around.cacheRead),
    cacheWrite: readCount(usage.cacheWrite) ?? 0,
    reasoning: readCount(usage.reasoning) ?? readCount(usage.reasoningTokens) ?? 0,
    cacheWrite1h:
      readCount(usage.cacheWrite1h) ?? readCount(jsonObject(usage.cttl)?.ephemeral1h) ?? 0,
  };
}

function addUp(...values: readonly unknown[]): number {
  return Math.min(
    values.reduce<number>((sum, value) => sum + (readCount(value) ?? 0), 0),
    tokensMax,
  );
}

function readCount(value: unknown): number | null {
  if (typeof value !== 'number' || !(value >= 0) || value === Number.POSITIVE_INFINITY) return null;
  return Math.min(Math.round(value), tokensMax);
}

/**
 * Zero from a price list means that the price is unknown; only a provider can declare something
 * free.
 */
function readPrice(
  total: number | null,
  fromProvider: boolean,
  reported: boolean,
): { nanoUsd: number | null; priceSource: PriceSource } {
  const nanoUsd = nanoUsdFromDouble(total);
  const known = reported && nanoUsd !== null && (total !== 0 || fromProvider);
  if (!known) return { nanoUsd: null, priceSource: 'unpriced' };
  return { nanoUsd, priceSource: fromProvider ? 'provider' : 'catalog' };
}

// Converts dollars to whole 10^-9 dollars by decimal digits alone, without multiplying doubles, so
// that it can catch a wrong multiplication. Pure.

const placesKept = 9;
const nanoUsdMax = 1_000_000_000_000_000n;
/** From here on, the text of a double has a positive exponent. */
const usdMax = 1e21;

/**
 * Rounds the shortest decimal text of the double once, half to even. Null for anything but an
 * amount of at most a million dollars.
 */
export function nanoUsdFromDouble(usd: unknown): number | null {
  if (typeof usd !== 'number' || !(usd >= 0) || usd >= usdMax) return null;
  const { digits, places } = plainDecimal(String(usd));
  const nano =
    places <= placesKept
      ? BigInt(digits + '0'.repeat(placesKept - places))
      : roundedHalfToEven(digits, places - placesKept);
  return nano <= nanoUsdMax ? Number(nano) : null;
}

/** `1.25e-7` gives the digits 125 and 9 places. */
function plainDecimal(text: string): { digits: string; places: number } {
  const [mantissa = '', exponent = '0'] = text.split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: whole + fraction, places: fraction.length - Number(exponent) };
}

/** The shortest text of a fraction never ends in zero, so a dropped half is always a single 5. */
function roundedHalfToEven(digits: string, dropped: number): bigint {
  const padded = digits.padStart(dropped, '0');
  const kept = BigInt(padded.slice(0, -dropped));
  const rest = padded.slice(-dropped);
  if (rest < '5') return kept;
  return rest > '5' || kept % 2n === 1n ? kept + 1n : kept;
}
