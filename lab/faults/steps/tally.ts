/** How often who was killed, and how often of these while its writes were under way. */
import type { Killed } from './step.ts';

export interface Kills {
  kills: number;
  inFlight: number;
}

export interface Tally {
  count(kind: Killed, isInFlight: boolean): void;
  readonly byKind: Readonly<Partial<Record<Killed, Kills>>>;
}

export function createTally(): Tally {
  const byKind: Partial<Record<Killed, Kills>> = {};
  return {
    byKind,
    count(kind, isInFlight) {
      const sum = byKind[kind] ?? { kills: 0, inFlight: 0 };
      byKind[kind] = { kills: sum.kills + 1, inFlight: sum.inFlight + (isInFlight ? 1 : 0) };
    },
  };
}

/** Kills of servers in flight: what a run aims at. A producer's death loses no write by itself. */
export function serverKillsIn(byKind: Tally['byKind']): number {
  return Object.entries(byKind).reduce(
    (sum, [kind, { inFlight }]) => (kind === 'producer' ? sum : sum + inFlight),
    0,
  );
}
