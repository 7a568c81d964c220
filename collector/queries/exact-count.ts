/**
 * A sum of tokens as JSON has it: a number, and where a double would lose digits its decimal digits
 * as text.
 */
export function exactCount(count: bigint): number | string {
  return count >= -safeMax && count <= safeMax ? Number(count) : count.toString();
}

const safeMax = BigInt(Number.MAX_SAFE_INTEGER);
