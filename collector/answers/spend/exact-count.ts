/** A sum of tokens for JSON: a number, or a decimal string where a double would lose digits. */
export function exactCount(count: bigint): number | string {
  return count >= -safeMax && count <= safeMax ? Number(count) : count.toString();
}

const safeMax = BigInt(Number.MAX_SAFE_INTEGER);

/** A figure for JSON, by its name: amounts are decimal strings of 10^-9 USD, others counts. */
export function exactFigure(name: string, value: bigint): number | string {
  return name.toLowerCase().includes('nanousd') ? value.toString() : exactCount(value);
}
