/**
 * Converts dollars to whole 10^-9 dollars by decimal digits alone, without multiplying doubles, so
 * that it can catch a wrong multiplication. Pure.
 */

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
