/**
 * What projections emit, summed in memory until it is committed, and the coarser rollups derived
 * from it. Bounded by the batch: one row per array of dimensions emitted in it.
 */
import { type Amount, addAmounts } from '../projections/amount.ts';
import type { Emit, Rollup } from '../projections/projection.ts';
import type { RollupDelta } from '../views/views.ts';

export interface Deltas {
  readonly emit: Emit;
  /** How many rows were emitted since the last call of `take`, coarser ones not counted. */
  size(): number;
  /**
   * All that was emitted since the last call, coarser rollups included: one per (rollup,
   * dimensions), without those that sum to zero.
   */
  take(): RollupDelta[];
}

export function createDeltas(): Deltas {
  /**
   * By the array itself, not its content: projections emit the same array many times, and looking
   * it up costs no comparison.
   */
  let emitted = new Map<Rollup, Map<readonly string[], Amount[]>>();
  let size = 0;

  return {
    size: () => size,
    emit(rollup, dimensions, measures) {
      const sums = emitted.get(rollup) ?? new Map<readonly string[], Amount[]>();
      const sum = sums.get(dimensions);
      if (sum !== undefined) {
        addAmounts(sum, measures);
        // Spend that is moved again and again leaves nothing where it was in between.
        if (isNothing(sum) && sums.delete(dimensions)) size -= 1;
        return;
      }
      size += 1;
      emitted.set(rollup, sums.set(dimensions, measures.slice()));
    },
    take() {
      const deltas = [...emitted].flatMap(([rollup, sums]) => toDeltas(rollup, merge(sums)));
      emitted = new Map();
      size = 0;
      return deltas;
    },
  };
}

interface Row {
  readonly dimensions: readonly string[];
  readonly sum: Amount[];
}

function toDeltas(rollup: Rollup, rows: readonly Row[]): RollupDelta[] {
  const deltas = rows.map(({ dimensions, sum }) => ({
    rollup,
    dimensions,
    measures: rollup.measures.map((_, index) => BigInt(sum[index] ?? 0)),
  }));
  return [
    ...deltas,
    ...(rollup.coarser ?? []).flatMap((coarser) =>
      toDeltas(coarser, coarsen(rollup, coarser, rows)),
    ),
  ];
}

function coarsen(rollup: Rollup, coarser: Rollup, rows: readonly Row[]): Row[] {
  const kept = coarser.dimensions.map((name) => rollup.dimensions.indexOf(name));
  return merge(
    rows.map(({ dimensions, sum }) => [kept.map((index) => dimensions[index] ?? ''), sum.slice()]),
  );
}

/** One per dimensions, without those that sum to zero. */
function merge(sums: Iterable<readonly [readonly string[], Amount[]]>): Row[] {
  const merged = new Map<string, Row>();
  for (const [dimensions, sum] of sums) {
    const key = JSON.stringify(dimensions);
    const known = merged.get(key);
    if (known === undefined) merged.set(key, { dimensions, sum });
    else addAmounts(known.sum, sum);
  }
  return [...merged.values()].filter(({ sum }) => !isNothing(sum));
}

function isNothing(sum: readonly Amount[]): boolean {
  return sum.every((amount) => amount === 0);
}
