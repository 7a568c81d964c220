/**
 * Dollars to whole 10^-9 dollars by decimal digits alone: no multiplication of doubles, so that it can catch one that went wrong. Pure.
 */

const placesKept = 9;
const nanoUsdMax = 1_000_000_000_000_000n;

/** Rounds the shortest decimal text of the double once, half to even. Null for what is no amount, or above a million dollars. */
export function nanoUsdFromDouble(usd: unknown): number | null {
  if (typeof usd !== 'number' || !(usd >= 0) || usd === Number.POSITIVE_INFINITY) return null;
  const { digits, places } = plainDecimal(String(usd));
  const nano = places <= placesKept ? BigInt(digits + '0'.repeat(placesKept - places)) : roundedHalfToEven(digits, places - placesKept);
  return nano <= nanoUsdMax ? Number(nano) : null;
}

/** `1.25e-7` is the digits 125 with 9 places. */
function plainDecimal(text: string): { digits: string; places: number } {
  const [mantissa = '', exponent = '0'] = text.split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const places = fraction.length - Number(exponent);
  return places >= 0 ? { digits: whole + fraction, places } : { digits: whole + fraction + '0'.repeat(-places), places: 0 };
}

function roundedHalfToEven(digits: string, dropped: number): bigint {
  const padded = digits.padStart(dropped + 1, '0');
  const kept = BigInt(padded.slice(0, -dropped));
  const rest = padded.slice(-dropped);
  const half = `5${'0'.repeat(dropped - 1)}`;
  if (rest < half) return kept;
  return rest > half || kept % 2n === 1n ? kept + 1n : kept;
}
