/** How long the fuzzers run, and from which seed: `npm run attack` sets both. */

/** In CI: the same every time. */
const seedOfCi = 20_261_125;

export const seed = Number(process.env.PI_LEDGER_ATTACK_SEED ?? seedOfCi);

/** By `npm run attack`. */
export const isLong = process.env.PI_LEDGER_ATTACK_RUNS !== undefined;

/** `inCi`: how many attacks where nobody asks for more. */
export function runs(inCi: number): number {
  return Number(process.env.PI_LEDGER_ATTACK_RUNS ?? inCi);
}
