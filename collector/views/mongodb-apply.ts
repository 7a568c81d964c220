/**
 * Writes what a commit says into the views' collections.
 *
 * Guarantees: applied as often as you like, by as many as you like, it counts once: what carries the commit's position already is left alone. That
 * holds as long as what was applied is never deleted, so a row that comes to nothing is only taken out of its generation.
 */
import { type AnyBulkWriteOperation, type Db, MongoBulkWriteError } from 'mongodb';
import type { Projection } from '../projections/projection.ts';
import { type Stored, storedIn } from './mongodb-layout.ts';
import type { Chunk, RowDelta } from './mongodb-redo.ts';

export async function applyChunk(database: Db, projection: Projection, { generation, rows, documents }: Chunk, to: bigint): Promise<void> {
  const rollups = [...Map.groupBy(rows, (row) => row.rollup)];
  await Promise.all([
    writeAll(
      database,
      projection.name,
      documents.map((document) => replacement(document, to)),
    ),
    ...rollups.map(([rollup, deltas]) => addAll(database, rollup, deltas, generation, to)),
  ]);
}

async function addAll(database: Db, rollup: string, deltas: readonly RowDelta[], generation: number, to: bigint): Promise<void> {
  await writeAll(
    database,
    rollup,
    deltas.map((delta) => addition(delta, generation, to)),
  );
  await takeOutEmpty(database, rollup, deltas.filter(mayEmpty), generation, to);
}

const duplicateKey = 11_000;

type Write = AnyBulkWriteOperation<Stored>;

function addition({ _id, dimensions, measures }: RowDelta, generation: number, to: bigint): Write {
  const update = { $inc: measures, $set: { position: to, generation }, $setOnInsert: dimensions };
  return { updateOne: { filter: { _id, position: { $lt: to } }, update: update as never, upsert: true } };
}

function replacement(document: Stored, to: bigint): Write {
  return { replaceOne: { filter: { _id: document._id, position: { $lt: to } }, replacement: document, upsert: true } };
}

function mayEmpty({ measures }: RowDelta): boolean {
  const amounts = Object.values(measures);
  return amounts.some((amount) => amount < 0n) || amounts.every((amount) => amount === 0n);
}

async function takeOutEmpty(database: Db, rollup: string, deltas: readonly RowDelta[], generation: number, to: bigint): Promise<void> {
  if (deltas.length === 0) return;
  const isEmpty = Object.fromEntries(Object.keys(deltas[0]?.measures ?? {}).map((measure) => [measure, 0n]));
  const filter = { _id: { $in: deltas.map(({ _id }) => _id) }, position: to, ...isEmpty };
  await storedIn(database, rollup).updateMany(filter, { $set: { generation: -generation } });
}

/** One that carries the position already does not fit the filter, so the server tries to insert it and finds its `_id` taken: it is there. */
async function writeAll(database: Db, collection: string, writes: readonly Write[]): Promise<void> {
  if (writes.length === 0) return;
  try {
    await storedIn(database, collection).bulkWrite(writes, { ordered: false });
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError() !== undefined) throw error;
    const errors = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
    const fault = errors.find((each) => each.code !== duplicateKey);
    if (errors.length === 0 || fault !== undefined) throw error;
  }
}
