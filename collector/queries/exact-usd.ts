/** An amount in dollars as a decimal without rounding: `1234567890` is `1.23456789`. */
export function exactUsd(nanoUsd: bigint): string {
  const magnitude = nanoUsd < 0n ? -nanoUsd : nanoUsd;
  const digits = magnitude.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, -decimals);
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  return `${nanoUsd < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

const decimals = 9;
