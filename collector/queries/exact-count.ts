/** A sum of tokens for JSON: a number, or a decimal string where a double would lose digits. */
export function exactCount(count: bigint): number | string {
  return count >= -safeMax && count <= safeMax ? Number(count) : count.toString();
}

const safeMax = BigInt(Number.MAX_SAFE_INTEGER);
