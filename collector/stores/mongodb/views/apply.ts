/**
 * Writes a commit into the views' collections.
 *
 * Guarantees: applied any number of times, by any number of processes, it counts once: what carries
 * the commit's position already is left alone. That holds only as long as applied rows are never
 * deleted, so a row that comes to zero is merely removed from its generation.
 */
import { type AnyBulkWriteOperation, type Collection, type Db, MongoBulkWriteError } from 'mongodb';
import type { Projection } from '../../../projections/projection.ts';
import { type Stored, storedIn } from './layout.ts';
import type { Chunk, RowDelta } from './redo-chunk.ts';
import { highName, isHigh } from './wide.ts';

export async function applyChunk(
  database: Db,
  projection: Projection,
  { generation, rows, documents }: Chunk,
  to: bigint,
): Promise<void> {
  const rollups = [...Map.groupBy(rows, (row) => row.rollup)];
  await Promise.all([
    writeAll(
      database,
      projection.name,
      documents.map((document) => ({ insert: document, update: replacement(document, to) })),
      to,
    ),
    ...rollups.map(([rollup, deltas]) => addAll(database, rollup, deltas, generation, to)),
  ]);
}

async function addAll(
  database: Db,
  rollup: string,
  deltas: readonly RowDelta[],
  generation: number,
  to: bigint,
): Promise<void> {
  await writeAll(
    database,
    rollup,
    deltas.map((delta) => ({
      insert: row(delta, generation, to),
      update: addition(delta, generation, to),
    })),
    to,
  );
  await takeOutEmpty(database, rollup, deltas.filter(mayEmpty), generation, to);
}

const duplicateKey = 11_000;

/** The same row, for insertion and for update. */
interface Write {
  readonly insert: Stored;
  readonly update: AnyBulkWriteOperation<Stored>;
}

function row({ _id, dimensions, measures }: RowDelta, generation: number, to: bigint): Stored {
  return { _id, ...measures, ...wideMark(measures), position: to, generation, ...dimensions };
}

function addition(
  { _id, dimensions, measures }: RowDelta,
  generation: number,
  to: bigint,
): Write['update'] {
  const update = {
    $inc: measures,
    $set: { ...wideMark(measures), position: to, generation },
    $setOnInsert: dimensions,
  };
  return {
    updateOne: { filter: { _id, position: { $lt: to } }, update: update as never, upsert: true },
  };
}

function wideMark(measures: RowDelta['measures']): { readonly wide?: true } {
  return Object.keys(measures).some(isHigh) ? { wide: true } : {};
}

function replacement(document: Stored, to: bigint): Write['update'] {
  return {
    replaceOne: {
      filter: { _id: document._id, position: { $lt: to } },
      replacement: document,
      upsert: true,
    },
  };
}

function mayEmpty({ measures }: RowDelta): boolean {
  const amounts = Object.values(measures);
  return amounts.some((amount) => amount < 0n) || amounts.every((amount) => amount === 0n);
}

async function takeOutEmpty(
  database: Db,
  rollup: string,
  deltas: readonly RowDelta[],
  generation: number,
  to: bigint,
): Promise<void> {
  if (deltas.length === 0) return;
  const measures = Object.keys(deltas[0]?.measures ?? {}).filter((name) => !isHigh(name));
  const isEmpty = Object.fromEntries(
    measures.flatMap((name) => [
      [name, 0n] as const,
      [highName(name), { $in: [null, 0n] }] as const,
    ]),
  );
  const filter = { _id: { $in: deltas.map(({ _id }) => _id) }, position: to, ...isEmpty };
  await storedIn(database, rollup).updateMany(filter, { $set: { generation: -generation } });
}

/**
 * Most rows are new, and one insert of many costs a server a fraction of as many updates. Rows that
 * another process inserted meanwhile are updated.
 */
async function writeAll(
  database: Db,
  collection: string,
  writes: readonly Write[],
  to: bigint,
): Promise<void> {
  const stored = storedIn(database, collection);
  const positions = await readPositions(stored, writes);
  const fresh = writes.filter(({ insert }) => !positions.has(insert._id));
  const isInserted = await insertAll(stored, fresh);
  await updateAll(
    stored,
    isInserted ? writes.filter(({ insert }) => (positions.get(insert._id) ?? to) < to) : writes,
  );
}

async function readPositions(
  stored: Collection<Stored>,
  writes: readonly Write[],
): Promise<Map<string, bigint>> {
  if (writes.length === 0) return new Map();
  const ids = writes.map(({ insert }) => insert._id);
  const found = await stored
    .find({ _id: { $in: ids } }, { projection: { position: 1 }, batchSize: ids.length + 1 })
    .toArray();
  return new Map(found.map(({ _id, position }) => [_id, position]));
}

async function insertAll(stored: Collection<Stored>, writes: readonly Write[]): Promise<boolean> {
  const documents = writes.map(({ insert }) => insert);
  return documents.length === 0 || isWritten(stored.insertMany(documents, { ordered: false }));
}

/**
 * A row that already carries the position does not match the filter, so the server tries to insert
 * it and finds its `_id` taken: it exists.
 */
async function updateAll(stored: Collection<Stored>, writes: readonly Write[]): Promise<void> {
  const operations = writes.map(({ update }) => update);
  if (operations.length > 0) await isWritten(stored.bulkWrite(operations, { ordered: false }));
}

/** False when some `_id`s already existed. Rejects with any other error. */
async function isWritten(writing: Promise<unknown>): Promise<boolean> {
  try {
    await writing;
    return true;
  } catch (error) {
    if (
      !(error instanceof MongoBulkWriteError) ||
      error.result.getWriteConcernError() !== undefined
    )
      throw error;
    const errors = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
    const fault = errors.find((each) => each.code !== duplicateKey);
    if (errors.length === 0 || fault !== undefined) throw error;
    return false;
  }
}
