/**
 * Reproducible random choices: a failing run prints its seed, and `PI_LEDGER_TEST_SEED` sets it.
 */

/** Contract: the same seed gives the same sequence. */
export interface Dice {
  /** In [0, limit). */
  below(limit: number): number;
  chance(probability: number): boolean;
}

export const seed = Number(process.env.PI_LEDGER_TEST_SEED ?? Math.floor(Math.random() * 2 ** 32));

/** Each `name` gives its own sequence, so that a test can be repeated without those before it. */
export function dice(name: string, from: number = seed): Dice {
  let state = [...name].reduce(
    (hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16_777_619) >>> 0,
    from >>> 0,
  );
  /** mulberry32 */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    below: (limit) => Math.floor(next() * limit),
    chance: (probability) => next() < probability,
  };
}
