/** By nearest rank; `q` from 0 to 1. Throws for no samples. */
export function quantile(samples: readonly number[], q: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
  if (value === undefined) throw new Error('no samples');
  return value;
}

export function median(samples: readonly number[]): number {
  return quantile(samples, 0.5);
}

export function mean(samples: readonly number[]): number {
  return samples.reduce((sum, sample) => sum + sample, 0) / samples.length;
}

/** For alternating samples: the difference of each from its partner in the same round. */
export function differences(samples: readonly number[], others: readonly number[]): number[] {
  return samples.map((sample, round) => sample - (others[round] ?? Number.NaN));
}

/** The middle half, as text. */
export function spread(samples: readonly number[], digits = 1): string {
  return `${quantile(samples, 0.25).toFixed(digits)} .. ${quantile(samples, 0.75).toFixed(digits)}`;
}
