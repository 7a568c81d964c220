/**
 * Sums beyond 64 bits in MongoDB (views/wide.ts): the high parts of a row are fields beside its
 * measures, named `<measure>High`, and the row has `wide: true`. Other rows have neither.
 */
import type { Db } from 'mongodb';
import { isLow, split } from '../../../views/wide.ts';
import { storedIn } from './layout.ts';
import type { Chunk, RowDelta } from './redo-chunk.ts';

const suffix = 'High';

export function highName(measure: string): string {
  return `${measure}${suffix}`;
}

/** The largest amount that a server can add to a row. */
export function sumMeasures(
  amounts: readonly (readonly [measure: string, amount: bigint])[],
): Record<string, bigint> {
  const measures: Record<string, bigint> = {};
  for (const [measure, amount] of amounts) {
    const { low, high } = isLow(amount) ? { low: amount, high: 0n } : split(amount);
    measures[measure] = low;
    if (high !== 0n) measures[highName(measure)] = high;
  }
  return measures;
}

export function isHigh(name: string): boolean {
  return name.endsWith(suffix);
}

/**
 * The same chunk with every low part within its bound. Contract: the rows do not change until it is
 * applied.
 */
export async function widened(database: Db, chunk: Chunk): Promise<Chunk> {
  const rows: RowDelta[] = [];
  for (const [rollup, deltas] of Map.groupBy(chunk.rows, (row) => row.rollup)) {
    const ids = deltas.map(({ _id }) => _id);
    const stored = await storedIn(database, rollup)
      .find({ _id: { $in: ids } })
      .toArray();
    const known = new Map(stored.map((row) => [row._id, row]));
    for (const delta of deltas) {
      const row = known.get(delta._id);
      rows.push({
        ...delta,
        measures: widenedMeasures(delta.measures, (name) =>
          BigInt((row?.[name] as bigint | undefined) ?? 0n),
        ),
      });
    }
  }
  return { ...chunk, rows };
}

function widenedMeasures(
  measures: RowDelta['measures'],
  knownOf: (name: string) => bigint,
): Record<string, bigint> {
  const widened: Record<string, bigint> = { ...measures };
  for (const [name, amount] of Object.entries(measures)) {
    const known = knownOf(name);
    if (isHigh(name) || isLow(known + amount)) continue;
    const { low, high } = split(known + amount);
    widened[name] = low - known;
    widened[highName(name)] = (measures[highName(name)] ?? 0n) + high;
  }
  return widened;
}
