/** Queries over one generation, as find and aggregate. Field names come from the projection's definition. */
import type { Db, Filter } from 'mongodb';
import type { Projection, Rollup } from '../projections/projection.ts';
import { coarsestFor } from './coarsest.ts';
import { dateMin, decodeField, encodeBound, encodeField, type Field } from './mongodb-fields.ts';
import { idOf, idRange, type Stored, storedIn } from './mongodb-layout.ts';
import type { Condition, DocumentQuery, SumQuery, SumRow, ViewDocument } from './views.ts';

type Where = Filter<Stored>;

const batchRows = 1_000;

/** Documents without a value come first, or last when descending. */
export async function findDocuments(
  database: Db,
  projection: Projection,
  generation: number,
  query: DocumentQuery,
): Promise<ViewDocument[]> {
  const names = Object.keys(projection.columns);
  const known = ['key', ...names];
  const { column, descending } = query.orderBy;
  const direction = descending ? -1 : 1;
  const byKey = expectKnown(column, known) === 'key';
  const sort = byKey ? { _id: direction } : { [column]: direction, _id: direction };
  const range: Where = byKey ? { generation, _id: idRange(generation) } : { generation };
  const where = [range, ...query.where.map((condition) => documentCondition(generation, condition, known))];
  const found: ViewDocument[] = [];
  for (const page of pagesOf(generation, query)) {
    const limit = query.limit - found.length;
    if (limit <= 0) break;
    const cursor = storedIn(database, projection.name)
      .find({ $and: [...where, ...page] }, { batchSize: batchRows, ...(query.bodies === false ? { projection: { body: 0 } } : {}) })
      .sort(sort as Record<string, 1 | -1>)
      .limit(limit);
    for await (const stored of cursor) found.push(toDocument(stored, names));
  }
  return found;
}

/** Throws a RangeError when a sum leaves 64 bits: the server goes on with a float from there. */
export async function sumRows(database: Db, asked: Rollup, generation: number, query: SumQuery): Promise<SumRow[]> {
  const { by, where } = query;
  const rollup = coarsestFor(asked, query);
  const { name, dimensions, measures } = rollup;
  for (const dimension of [...by, ...where.map(({ column }) => column)]) expectKnown(dimension, dimensions);
  const conditions = where.map(({ column, is, values }) => ({ [column]: comparison(column, is, values) }));
  const group = by.length === 0 ? null : Object.fromEntries(by.map((dimension) => [dimension, `$${dimension}`]));
  const sums = Object.fromEntries(measures.map((measure) => [`sum_${measure}`, { $sum: `$${measure}` }]));
  const pipeline = [{ $match: { $and: [{ generation }, ...conditions] } }, { $group: { _id: group, ...sums } }];
  const rows: SumRow[] = [];
  const cursor = storedIn(database, name).aggregate<Grouped>(pipeline, { allowDiskUse: true, batchSize: batchRows });
  for await (const grouped of cursor) {
    const row = toSumRow(rollup, by, grouped);
    // A row that came back to nothing from below is not taken out of its generation (mongodb-apply.ts).
    if (by.length === 0 || Object.values(row.measures).some((sum) => sum !== 0n)) rows.push(row);
  }
  return rows.length === 0 && by.length === 0 ? [nothing(rollup)] : rows.sort((left, right) => compareRows(by, left, right));
}

/** What an empty view comes to. */
export function nothing({ measures }: Rollup): SumRow {
  return { dimensions: {}, measures: Object.fromEntries(measures.map((name) => [name, 0n])) };
}

interface Grouped {
  readonly _id: Readonly<Record<string, unknown>> | null;
  readonly [sum: string]: unknown;
}

function toSumRow({ name, measures }: Rollup, by: readonly string[], grouped: Grouped): SumRow {
  const sums: Record<string, bigint> = {};
  for (const measure of measures) {
    const sum = grouped[`sum_${measure}`];
    if (typeof sum !== 'bigint') throw new RangeError(`${name}: the sum of ${measure} leaves 64 bits.`);
    sums[measure] = sum;
  }
  const dimensions = by.map((dimension) => [dimension, String(decodeField(dimension, grouped._id?.[dimension]))]);
  return { dimensions: Object.fromEntries(dimensions), measures: sums };
}

function compareRows(by: readonly string[], left: SumRow, right: SumRow): number {
  for (const name of by) {
    const [one, other] = [left.dimensions[name] ?? '', right.dimensions[name] ?? ''];
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}

function toDocument(stored: Stored, names: readonly string[]): ViewDocument {
  const columns = Object.fromEntries(names.map((name) => [name, decodeField(name, stored[name])]));
  return { key: String(stored.key), columns, body: String(stored.body ?? '') };
}

function documentCondition(generation: number, { column, is, values }: Condition, known: readonly string[]): Where {
  if (expectKnown(column, known) !== 'key') return { [column]: comparison(column, is, values) };
  return {
    _id: comparison(
      '_id',
      is,
      values.filter((value) => value !== null).map((key) => idOf(generation, String(key))),
    ),
  } as Where;
}

function comparison(name: string, is: Condition['is'], values: Condition['values']): object {
  if (is === 'in') return { $in: values.map((value) => encodeField(name, value)) };
  return { [is === 'from' ? '$gte' : '$lt']: encodeBound(name, values[0]) };
}

/**
 * What lies after the last row of the page before, in ranges that an index can walk, one after the other. Values sort by what they are first:
 * nothing, numbers, text, dates; and a comparison finds values of its own kind only.
 */
function pagesOf(generation: number, { orderBy, after }: DocumentQuery): Where[][] {
  if (after === undefined) return [[]];
  const { column, descending } = orderBy;
  const beyond = descending ? '$lt' : '$gt';
  const keyBeyond = { _id: { [beyond]: idOf(generation, after.key) } } as Where;
  if (column === 'key') return [[keyBeyond]];
  const value = encodeField(column, after.value);
  const tied: Where[] = [{ [column]: value }, keyBeyond];
  if (value === null) return descending ? [tied] : [tied, [{ [column]: { $ne: null } }]];
  const rest: Where[] = [{ [column]: { [beyond]: value } }];
  return [tied, rest, ...otherKinds(value, descending).map((kind): Where[] => [{ [column]: kind }])];
}

/** The values of other kinds that come after this one. */
function otherKinds(value: NonNullable<Field>, descending: boolean): unknown[] {
  const text = { $gte: '' };
  if (descending) return value instanceof Date ? [text, null] : [null];
  return typeof value === 'string' ? [{ $gte: dateMin }] : [];
}

/** A name that is not there is the caller's mistake: the server would take it for a field that no document has. */
function expectKnown(name: string, known: readonly string[]): string {
  if (!known.includes(name)) throw new Error(`There is no column ${name}: expected one of ${known.join(', ')}.`);
  return name;
}
