/**
 * Sums over one generation's rollups, as aggregations. Field names come from the projection's
 * definition.
 *
 * Guarantees: exact for all amounts (wide.ts). A server continues with a float when a sum leaves 64
 * bits; decimals are summed then.
 */
import type { Db } from 'mongodb';
import type { Rollup } from '../../../projections/projection.ts';
import { coarsestFor } from '../../../views/coarsest.ts';
import type { SumQuery, SumRow } from '../../../views/views.ts';
import { join } from '../../../views/wide.ts';
import { compareRows } from '../../../views/wide-sums.ts';
import { comparison, expectKnown } from './conditions.ts';
import { decodeField } from './fields.ts';
import { storedIn } from './layout.ts';
import { highName } from './wide.ts';

const batchRows = 1_000;

export async function sumRows(
  database: Db,
  asked: Rollup,
  generation: number,
  query: SumQuery,
): Promise<SumRow[]> {
  const rollup = coarsestFor(asked, query);
  for (const name of [...query.by, ...query.where.map(({ column }) => column)])
    expectKnown(name, rollup.dimensions);
  const rows =
    (await sumAs(database, rollup, generation, query, plain)) ??
    (await sumAs(database, rollup, generation, query, exact)) ??
    [];
  // A row that came back to zero from below is not removed from its generation (apply.ts).
  const shown = rows.filter(
    ({ measures }) => query.by.length === 0 || Object.values(measures).some((sum) => sum !== 0n),
  );
  return shown.length === 0 && query.by.length === 0
    ? [nothing(rollup)]
    : shown.sort((left, right) => compareRows(query.by, left, right));
}

/** The sum over an empty view. */
export function nothing({ measures }: Rollup): SumRow {
  return { dimensions: {}, measures: Object.fromEntries(measures.map((name) => [name, 0n])) };
}

interface Grouped {
  readonly _id: Readonly<Record<string, unknown>> | null;
  /** Some row has high parts. */
  readonly wide: boolean | null;
  readonly [sum: string]: unknown;
}

/**
 * The aggregations of a measure, and how its value is computed from them; null: not possible with
 * these.
 */
interface Summing {
  sums(measure: string): Readonly<Record<string, object>>;
  total(measure: string, grouped: Grouped): bigint | null;
}

const plain: Summing = {
  sums: (measure) => ({ [`sum_${measure}`]: { $sum: `$${measure}` } }),
  total(measure, grouped) {
    const sum = grouped[`sum_${measure}`];
    return typeof sum === 'bigint' && grouped.wide !== true ? sum : null;
  },
};

/** Sums as decimals of 34 digits. */
const exact: Summing = {
  sums: (measure) => ({
    [`sum_${measure}`]: { $sum: { $toDecimal: `$${measure}` } },
    [`high_${measure}`]: { $sum: `$${highName(measure)}` },
  }),
  total: (measure, grouped) =>
    join({
      low: toBigInt(grouped[`sum_${measure}`]),
      high: toBigInt(grouped[`high_${measure}`]),
    }),
};

/** `123` or `1.23E+2`: servers write decimals either way. */
function toBigInt(sum: unknown): bigint {
  const [digits = '', exponent = '0'] = String(sum).split('E');
  const [whole = '', fraction = ''] = digits.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(Number(exponent) - fraction.length);
}

/** Resolves to null when a sum cannot be computed this way. */
async function sumAs(
  database: Db,
  rollup: Rollup,
  generation: number,
  query: SumQuery,
  summing: Summing,
): Promise<SumRow[] | null> {
  const { by, where } = query;
  const conditions = where.map(({ column, is, values }) => ({
    [column]: comparison(column, is, values),
  }));
  const group =
    by.length === 0
      ? null
      : Object.fromEntries(by.map((dimension) => [dimension, `$${dimension}`]));
  const sums = Object.assign({}, ...rollup.measures.map(summing.sums)) as Record<string, object>;
  const pipeline = [
    { $match: { $and: [{ generation }, ...conditions] } },
    { $group: { _id: group, wide: { $max: '$wide' }, ...sums } },
  ];
  const rows: SumRow[] = [];
  const cursor = storedIn(database, rollup.name).aggregate<Grouped>(pipeline, {
    allowDiskUse: true,
    batchSize: batchRows,
  });
  for await (const grouped of cursor) {
    const row = toSumRow(rollup, by, grouped, summing);
    if (row === null) return null;
    rows.push(row);
  }
  return rows;
}

function toSumRow(
  { measures }: Rollup,
  by: readonly string[],
  grouped: Grouped,
  { total }: Summing,
): SumRow | null {
  const sums: Record<string, bigint> = {};
  for (const measure of measures) {
    const sum = total(measure, grouped);
    if (sum === null) return null;
    sums[measure] = sum;
  }
  const dimensions = by.map((dimension) => [
    dimension,
    String(decodeField(dimension, grouped._id?.[dimension])),
  ]);
  return { dimensions: Object.fromEntries(dimensions), measures: sums };
}
