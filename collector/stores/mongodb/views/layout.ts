/**
 * The collections of the views and their contents (docs/mongodb.md describes them for those who
 * query them with other tools).
 *
 * A view and each of its rollups has a collection with its name. All generations share it: an `_id`
 * begins with the number of the generation, and every index with the field `generation`. Everything
 * is written by `_id`, so a cluster can shard these collections by the hash of `_id`.
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
   * Negated in a row that came to zero, which is then in no query's range; the row stays because it
   * stores `position`.
   */
  readonly generation: number;
  /** Position of the newest commit in it. */
  readonly position: bigint;
  readonly [field: string]: unknown;
}

export interface Pointer {
  /** The name of the projection. */
  readonly _id: string;
  readonly live: number | null;
  readonly liveShape: string | null;
  readonly building: number | null;
}

/** Raise it when the layout of a projection changes: views of an older layout are folded again. */
const layoutVersion = 1;

/** Integers in the views are always read as bigint. */
const options = { useBigInt64: true } as const;

export function storedIn(database: Db, name: string): Collection<Stored> {
  return database.collection<Stored>(name, options);
}

export function pointerCollection(database: Db): Collection<Pointer> {
  return database.collection<Pointer>('views', options);
}

/** The `_id`s of one generation: `;` follows `:`. */
export function idRange(generation: number): { readonly $gte: string; readonly $lt: string } {
  return { $gte: `${generation}:`, $lt: `${generation};` };
}

export function documentId(generation: number, key: string): string {
  return `${generation}:${key}`;
}

/** Rows are addressed by a hash of their dimensions: many texts would make a long key. */
export function rowId(generation: number, dimensions: readonly string[]): string {
  return documentId(
    generation,
    hash('sha256', JSON.stringify(dimensions), 'base64url').slice(0, 22),
  );
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
    _id: documentId(generation, key),
    generation,
    position,
    key,
    ...Object.fromEntries(fields),
    body,
  };
}

/** All collections that contain something of a generation. */
export function listCollections({ name, rollups }: Projection): string[] {
  return [name, ...rollups.map((rollup) => rollup.name)];
}

export function describeShape({ columns, indexes, rollups }: Projection): string {
  return JSON.stringify([layoutVersion, columns, indexes, rollups]);
}

/** Creates what is missing; safe to repeat. */
export async function createIndexes(database: Db, projection: Projection): Promise<void> {
  await createAll(database, projection.name, lists(projection).map(documentIndex));
  for (const rollup of projection.rollups)
    await createAll(database, rollup.name, lists(rollup).map(rowIndex));
}

/** The `_id` orders documents with equal columns, as the key does within a generation. */
function documentIndex(columns: readonly string[]): IndexSpecification {
  return Object.fromEntries(['generation', ...columns, '_id'].map((name) => [name, 1]));
}

function rowIndex(dimensions: readonly string[]): IndexSpecification {
  return Object.fromEntries(['generation', ...dimensions].map((name) => [name, 1]));
}

/** An index on the generation alone when the projection has none. */
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
