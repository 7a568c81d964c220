/** Dollars as a host wrote them, in whole 10^-9 USD. */

/**
 * Contract: takes the number's shortest decimal text and rounds that once, half to even. Exact for
 * every finite number; throws a RangeError on others.
 */
export function nanoUsd(dollars: number): bigint {
  if (!Number.isFinite(dollars)) throw new RangeError(`${dollars} is no amount`);
  const [, sign, whole = '0', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(dollars)) ?? [];
  const digits = BigInt(whole + fraction);
  const shift = 9 - fraction.length + Number(exponent);
  const nano =
    shift >= 0 ? digits * 10n ** BigInt(shift) : roundHalfEven(digits, 10n ** BigInt(-shift));
  return sign ? -nano : nano;
}

/** `digits` is not negative. */
function roundHalfEven(digits: bigint, divisor: bigint): bigint {
  const quotient = digits / divisor;
  const twice = (digits % divisor) * 2n;
  const up = twice > divisor || (twice === divisor && quotient % 2n === 1n);
  return up ? quotient + 1n : quotient;
}
