/** Folds events in memory, using only the projection's contract. */
import type { LedgerEvent } from '@pi-ledger/contract';
import type { Projection, Rollup } from '../../../../collector/projections/projection.ts';
import { stored } from './given.ts';

export interface Folded<State> {
  readonly states: ReadonlyMap<string, State>;
  /** Texts of the documents, by key. */
  documents(): Record<string, string>;
  /**
   * Measures by name for each row with anything in it; the key joins the named dimensions' values.
   */
  rows(rollup: Rollup, ...by: string[]): Record<string, Record<string, bigint>>;
  /** One measure of each row. */
  sums(rollup: Rollup, measure: string, ...by: string[]): Record<string, bigint>;
  /** Everything emitted, in order. */
  readonly emitted: readonly Emitted[];
}

interface Emitted {
  readonly rollup: Rollup;
  readonly dimensions: readonly string[];
  readonly measures: readonly bigint[];
}

interface FoldOptions {
  /**
   * Encodes and decodes the state after each event, or after those with these indexes, as if memory
   * were too small.
   */
  readonly isReloaded?: boolean | ((index: number) => boolean);
}

export function fold<State>(
  projection: Projection<State>,
  events: readonly LedgerEvent[],
  { isReloaded = false }: FoldOptions = {},
): Folded<State> {
  const states = new Map<string, State>();
  const emitted: Emitted[] = [];
  for (const each of stored(events)) {
    const key = projection.key(each);
    if (key === null) continue;
    const state = projection.evolve(
      states.get(key) ?? projection.initial(key),
      each,
      (rollup, dimensions, measures) => {
        emitted.push({ rollup, dimensions: [...dimensions], measures: measures.map(BigInt) });
      },
    );
    const isReloadedNow = typeof isReloaded === 'boolean' ? isReloaded : isReloaded(each.position);
    states.set(key, isReloadedNow ? projection.decode(projection.encode(state)) : state);
  }
  const rows = (rollup: Rollup, ...by: string[]) => sumUp(emitted, rollup, by);
  return {
    states,
    emitted,
    documents: () =>
      Object.fromEntries([...states].map(([key, state]) => [key, projection.encode(state)])),
    rows,
    sums: (rollup, measure, ...by) =>
      Object.fromEntries(
        Object.entries(rows(rollup, ...by)).map(([key, row]) => [key, row[measure] ?? 0n]),
      ),
  };
}

function sumUp(
  emitted: readonly Emitted[],
  rollup: Rollup,
  by: readonly string[],
): Record<string, Record<string, bigint>> {
  const sums = new Map<string, bigint[]>();
  for (const { dimensions, measures } of emitted.filter((each) => each.rollup === rollup)) {
    const key = by.map((name) => dimensions[rollup.dimensions.indexOf(name)]).join();
    const known = sums.get(key) ?? rollup.measures.map(() => 0n);
    sums.set(
      key,
      known.map((sum, index) => sum + (measures[index] ?? 0n)),
    );
  }
  const present = [...sums]
    .filter(([, sum]) => sum.some((each) => each !== 0n))
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(
    present.map(([key, sum]) => [
      key,
      Object.fromEntries(rollup.measures.map((name, index) => [name, sum[index] ?? 0n])),
    ]),
  );
}
