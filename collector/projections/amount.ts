/**
 * Exact sums, fast while they are small: an amount is a number as long as a double holds it exactly
 * and a bigint beyond that. It is never a bigint when a number would do, so equal amounts encode
 * equally.
 */
export type Amount = number | bigint;

/** `into[i] += by[i]`, in place. */
export function addAmounts(into: Amount[], by: readonly Amount[]): void {
  for (let index = 0; index < by.length; index++)
    into[index] = sum(into[index] ?? 0, by[index] ?? 0);
}

export function negated(amounts: readonly Amount[]): Amount[] {
  return amounts.map((amount) => (amount === 0 ? 0 : -amount));
}

/** `left - right`. */
export function difference(left: Amount, right: Amount): Amount {
  return sum(left, -right);
}

/** The excess of `left` over `right`; zero when `left` is smaller. */
export function beyond(left: Amount, right: Amount): Amount {
  return left > right ? difference(left, right) : 0;
}

/** An amount as JSON can carry it: a decimal string where a double would lose digits. */
export function amountToJson(amount: Amount): number | string {
  return typeof amount === 'number' ? amount : amount.toString();
}

export function amountFromJson(amount: number | string): Amount {
  return typeof amount === 'number' ? amount : BigInt(amount);
}

function sum(left: Amount, right: Amount): Amount {
  if (typeof left === 'number' && typeof right === 'number') {
    const fast = left + right;
    // Not `Number.isSafeInteger`: this runs a dozen times or so for each event.
    if (fast <= Number.MAX_SAFE_INTEGER && fast >= Number.MIN_SAFE_INTEGER) return fast;
  }
  const exact = BigInt(left) + BigInt(right);
  const small = Number(exact);
  return Number.isSafeInteger(small) ? small : exact;
}
