/** Finds documents of one generation. Field names come from the projection's definition. */
import type { Db, Filter } from 'mongodb';
import type { Projection } from '../../../projections/projection.ts';
import type { Condition, DocumentQuery, ViewDocument } from '../../../views/views.ts';
import { comparison, expectKnown } from './conditions.ts';
import { dateMin, decodeField, encodeField, type Field } from './fields.ts';
import { documentId, idRange, type Stored, storedIn } from './layout.ts';

type Where = Filter<Stored>;

const batchRows = 1_000;

/** Sorts documents without a value first, or last when descending. */
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
  const where = [
    range,
    ...query.where.map((condition) => documentCondition(generation, condition, known)),
  ];
  const found: ViewDocument[] = [];
  for (const page of planPages(generation, query)) {
    const limit = query.limit - found.length;
    if (limit <= 0) break;
    const cursor = storedIn(database, projection.name)
      .find(
        { $and: [...where, ...page] },
        { batchSize: batchRows, ...(query.bodies === false ? { projection: { body: 0 } } : {}) },
      )
      .sort(sort as Record<string, 1 | -1>)
      .limit(limit);
    for await (const stored of cursor) found.push(toDocument(stored, names));
  }
  return found;
}

export function countDocuments(
  database: Db,
  projection: Projection,
  generation: number,
  where: readonly Condition[],
): Promise<number> {
  const known = ['key', ...Object.keys(projection.columns)];
  const conditions = where.map((condition) => documentCondition(generation, condition, known));
  return storedIn(database, projection.name).countDocuments({
    $and: [{ generation }, ...conditions],
  });
}

function toDocument(stored: Stored, names: readonly string[]): ViewDocument {
  const columns = Object.fromEntries(names.map((name) => [name, decodeField(name, stored[name])]));
  return { key: String(stored.key), columns, body: String(stored.body ?? '') };
}

function documentCondition(
  generation: number,
  { column, is, values }: Condition,
  known: readonly string[],
): Where {
  if (expectKnown(column, known) !== 'key') return { [column]: comparison(column, is, values) };
  return {
    _id: comparison(
      '_id',
      is,
      values.filter((value) => value !== null).map((key) => documentId(generation, String(key))),
    ),
  } as Where;
}

/**
 * The rows after the last row of the previous page, as ranges that an index can walk one after the
 * other. Values sort by type first: missing, numbers, text, dates; a comparison finds only values
 * of its own type.
 */
function planPages(generation: number, { orderBy, after }: DocumentQuery): Where[][] {
  if (after === undefined) return [[]];
  const { column, descending } = orderBy;
  const beyond = descending ? '$lt' : '$gt';
  const keyBeyond = { _id: { [beyond]: documentId(generation, after.key) } } as Where;
  if (column === 'key') return [[keyBeyond]];
  const value = encodeField(column, after.value);
  const tied: Where[] = [{ [column]: value }, keyBeyond];
  if (value === null) return descending ? [tied] : [tied, [{ [column]: { $ne: null } }]];
  const rest: Where[] = [{ [column]: { [beyond]: value } }];
  return [
    tied,
    rest,
    ...otherKinds(value, descending).map((kind): Where[] => [{ [column]: kind }]),
  ];
}

/** The values of other types that sort after this one. */
function otherKinds(value: NonNullable<Field>, descending: boolean): unknown[] {
  const text = { $gte: '' };
  if (descending) return value instanceof Date ? [text, null] : [null];
  return typeof value === 'string' ? [{ $gte: dateMin }] : [];
}
