/**
 * Sums beyond 64 bits, so that no amount that the contract allows can stop a view: a sum is `low +
 * high * 2^62`. Nearly always there is only a low part, which is what a store adds up by itself; a
 * high part is made where a low one would leave its bound. Pure.
 */

const highUnit = 2n ** 62n;

export interface Parts {
  /** Of the total's sign, and less than `highUnit`. */
  readonly low: bigint;
  readonly high: bigint;
}

export function split(total: bigint): Parts {
  return { low: total % highUnit, high: total / highUnit };
}

export function join({ low, high }: Parts): bigint {
  return low + high * highUnit;
}

/** Whether a low part may stand there: two of them add up within 64 bits. */
export function isLow(amount: bigint): boolean {
  return amount <= highUnit && amount >= -highUnit;
}
