/**
 * Sums of whole numbers written as text, exact whatever their size: as numbers while these are
 * exact, because thousands of them are added up for one answer.
 */
export interface ExactSum {
  part: number;
  beyond: bigint;
}

/** The sum of two of them is exact. */
const partMax = 2 ** 52;

export function exactSum(): ExactSum {
  return { part: 0, beyond: 0n };
}

export function addAmount(sum: ExactSum, text: string): void {
  const amount = Number(text);
  if (Math.abs(amount) > partMax) sum.beyond += BigInt(text);
  else addPart(sum, amount);
}

export function addSum(sum: ExactSum, other: ExactSum): void {
  addPart(sum, other.part);
  sum.beyond += other.beyond;
}

export function textOf({ part, beyond }: ExactSum): string {
  return String(BigInt(part) + beyond);
}

function addPart(sum: ExactSum, amount: number): void {
  sum.part += amount;
  if (Math.abs(sum.part) <= partMax) return;
  sum.beyond += BigInt(sum.part);
  sum.part = 0;
}
