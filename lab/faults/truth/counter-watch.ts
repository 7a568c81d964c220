/** Counters of `GET /v1/totals` never fall, and no series of one generation vanishes. */
import type { Answers } from '@pi-ledger/contract/answers';

export type Totals = Answers['GET /v1/totals'];

export interface CounterWatch {
  /** Returns what fell since the totals seen before. */
  see(totals: Totals): readonly string[];
  /** How many totals it has compared. */
  compared(): number;
}

export function createCounterWatch(): CounterWatch {
  let generation: string | null = null;
  let before = new Map<string, number>();
  let compared = 0;
  return {
    compared: () => compared,
    see(totals) {
      const now = amountsOf(totals);
      const isSame = totals.generation === generation;
      const fallen = isSame
        ? [...before].flatMap(([series, amount]) => {
            const current = now.get(series) ?? null;
            return current !== null && current >= amount
              ? []
              : [`${series} fell from ${amount} to ${current ?? 'nothing'}`];
          })
        : [];
      if (isSame) compared += 1;
      generation = totals.generation;
      before = now;
      return fallen;
    },
  };
}

/** By series; of a histogram each bucket is one. */
function amountsOf({ rows }: Totals): Map<string, number> {
  return new Map(
    rows.flatMap(({ metric, kind, attributes, amount, histogram }): [string, number][] => {
      if (kind === 'gauge') return [];
      const series = `${metric} ${JSON.stringify(attributes)}`;
      if (histogram === null) return [[series, Number(amount)]];
      return histogram.counts.map((count, bucket) => [`${series} bucket ${bucket}`, count]);
    }),
  );
}
