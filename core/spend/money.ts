/**
 * Converts US dollars as the host writes them (a double) to whole 10^-9 dollars.
 *
 * The amount is the shortest decimal text that reads back as the double (what the session file
 * shows), rounded once, half to even. Sums of such integers are exact.
 */

/**
 * Returns null for anything that is no amount (negative, NaN, infinite), or above the contract's
 * limit of a million dollars.
 */
export function toNanoUsd(usd: number): number | null {
  if (!(usd >= 0) || !Number.isFinite(usd)) return null;
  return quickly(usd) ?? exactly(usd);
}

const nanoUsdMax = 1_000_000_000_000_000n;
const quickNanoUsdMax = 2 ** 40;
const doubtful = 0.001;

/**
 * One multiplication errs by less than 2^-11 nano-dollars below 2^40, which matters only near a
 * half. Null there.
 */
function quickly(usd: number): number | null {
  const nano = usd * 1e9;
  if (nano >= quickNanoUsdMax) return null;
  const floor = Math.floor(nano);
  const rest = nano - floor;
  if (Math.abs(rest - 0.5) < doubtful) return null;
  return rest < 0.5 ? floor : floor + 1;
}

function exactly(usd: number): number | null {
  const { digits, exponent } = toDecimal(usd);
  const shift = exponent + 9;
  const nano =
    shift >= 0 ? digits * 10n ** BigInt(shift) : dividedHalfToEven(digits, 10n ** BigInt(-shift));
  return nano <= nanoUsdMax ? Number(nano) : null;
}

/** `digits` x 10^`exponent`, from the double's shortest decimal text. */
function toDecimal(value: number): { digits: bigint; exponent: number } {
  const [mantissa, exponent = 0] = String(value).split('e') as [string, string?];
  const [whole, fraction = ''] = mantissa.split('.') as [string, string?];
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

function dividedHalfToEven(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const twice = (dividend % divisor) * 2n;
  if (twice < divisor) return quotient;
  if (twice > divisor) return quotient + 1n;
  return quotient % 2n === 0n ? quotient : quotient + 1n;
}
