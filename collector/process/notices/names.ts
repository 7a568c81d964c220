/** Which notices: `shop over, ada warning (14 times)`. Pure. */

interface Notice {
  readonly budget: string;
  readonly state: string;
  /** Absent: one. */
  readonly notices?: number;
}

/** Each budget and state once, in their order. */
export function joinNames(notices: readonly Notice[]): string {
  const counts = new Map<string, number>();
  for (const { budget, state, notices: count = 1 } of notices) {
    const name = `${budget} ${state}`;
    counts.set(name, (counts.get(name) ?? 0) + count);
  }
  return [...counts]
    .map(([name, count]) => (count === 1 ? name : `${name} (${count} times)`))
    .join(', ');
}
