/**
 * Sums beyond 64 bits, so that no amount allowed by the contract can stop a view: a sum is `low +
 * high * 2^62`. Almost always there is only a low part, which a store can add up itself; a high
 * part is created when a low part would leave its bound. Pure.
 */

const highUnit = 2n ** 62n;

export interface Parts {
  /** Has the sign of the total, and is less than `highUnit`. */
  readonly low: bigint;
  readonly high: bigint;
}

export function split(total: bigint): Parts {
  return { low: total % highUnit, high: total / highUnit };
}

export function join({ low, high }: Parts): bigint {
  return low + high * highUnit;
}

/** Whether the value fits a low part: the sum of two must fit into 64 bits. */
export function isLow(amount: bigint): boolean {
  return amount <= highUnit && amount >= -highUnit;
}
