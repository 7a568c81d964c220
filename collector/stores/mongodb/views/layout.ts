/**
 * The collections of the views and what stands in them (docs/mongodb.md is the same for those who
 * query them with their own tools).
 *
 * A view and each of its rollups has a collection of its own, named as it is. All generations share
 * it: an `_id` begins with the generation's number, and every index with the field `generation`.
 * Everything is written by `_id`, so a cluster can shard these collections by the hash of `_id`.
 */
import { hash } from 'node:crypto';
import type { Collection, Db, IndexSpecification } from 'mongodb';
import type { Projection, Rollup } from '../../../projections/projection.ts';
import type { ViewDocument } from '../../../views/views.ts';
import { encodeField, type Field } from './fields.ts';

/** A document of a view, or a row of a rollup. */
export interface Stored {
  readonly _id: string;
  /**
   * A row that came to nothing has it negated, and so is in no query's range; it stays because it
   * remembers `position`.
   */
  readonly generation: number;
  /** Of the newest commit that is in it. */
  readonly position: bigint;
  readonly [field: string]: unknown;
}

export interface Pointer {
  /** The projection's name. */
  readonly _id: string;
  readonly live: number | null;
  readonly liveShape: string | null;
  readonly building: number | null;
}

/**
 * Raised when another layout is made for the same projection: views of an older one are folded
 * anew.
 */
const layoutVersion = 1;

/** Integers come back as bigint from everywhere in the views. */
const options = { useBigInt64: true } as const;

export function storedIn(database: Db, name: string): Collection<Stored> {
  return database.collection<Stored>(name, options);
}

export function pointersOf(database: Db): Collection<Pointer> {
  return database.collection<Pointer>('views', options);
}

/** The `_id`s of one generation: `;` follows `:`. */
export function idRange(generation: number): { readonly $gte: string; readonly $lt: string } {
  return { $gte: `${generation}:`, $lt: `${generation};` };
}

export function idOf(generation: number, key: string): string {
  return `${generation}:${key}`;
}

/** A row is found by its dimensions' hash: twelve texts would make a long key. */
export function rowIdOf(generation: number, dimensions: readonly string[]): string {
  return idOf(generation, hash('sha256', JSON.stringify(dimensions), 'base64url').slice(0, 22));
}

export function toStored(
  projection: Projection,
  generation: number,
  position: bigint,
  { key, columns, body }: ViewDocument,
): Stored {
  const fields = Object.keys(projection.columns).map((name): [string, Field] => [
    name,
    encodeField(name, columns[name]),
  ]);
  return {
    _id: idOf(generation, key),
    generation,
    position,
    key,
    ...Object.fromEntries(fields),
    body,
  };
}

/** All collections that hold something of a generation. */
export function collectionsOf({ name, rollups }: Projection): string[] {
  return [name, ...rollups.map((rollup) => rollup.name)];
}

export function shapeOf({ columns, indexes, rollups }: Projection): string {
  return JSON.stringify([layoutVersion, columns, indexes, rollups]);
}

/** Makes what is missing; the same ones again change nothing. */
export async function createIndexes(database: Db, projection: Projection): Promise<void> {
  await createAll(database, projection.name, lists(projection).map(documentIndex));
  for (const rollup of projection.rollups)
    await createAll(database, rollup.name, lists(rollup).map(rowIndex));
}

/** The `_id` sorts documents of equal columns, within a generation as the key does. */
function documentIndex(columns: readonly string[]): IndexSpecification {
  return Object.fromEntries(['generation', ...columns, '_id'].map((name) => [name, 1]));
}

function rowIndex(dimensions: readonly string[]): IndexSpecification {
  return Object.fromEntries(['generation', ...dimensions].map((name) => [name, 1]));
}

/** Without any of its own, the generation alone. */
function lists({ indexes }: Pick<Projection | Rollup, 'indexes'>): readonly (readonly string[])[] {
  return indexes.length > 0 ? indexes : [[]];
}

async function createAll(
  database: Db,
  collection: string,
  keys: readonly IndexSpecification[],
): Promise<void> {
  await database
    .collection(collection)
    .createIndexes(keys.map((key) => ({ key: key as Record<string, 1> })));
}
