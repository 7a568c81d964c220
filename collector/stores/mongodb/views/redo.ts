/**
 * The redo record of a commit: everything that it writes, stored in `view_commits` before it is
 * decided, so that any process can finish it.
 *
 * A record consists of chunks, each below the maximum document size, compressed: written with every
 * commit, and almost never read. It is removed once the checkpoint of the generation has passed
 * `from`: from then on nobody can decide on it.
 */
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { Binary, BSON, type Collection, type Db } from 'mongodb';
import type { Projection } from '../../../projections/projection.ts';
import type { Commit } from '../../../views/views.ts';
import { encodeField } from './fields.ts';
import { rowId, type Stored, toStored } from './layout.ts';
import type { Chunk, RowDelta } from './redo-chunk.ts';
import { sumMeasures } from './wide.ts';

export interface RedoRecords {
  write(chunks: readonly Chunk[]): Promise<void>;
  /** Replaces the chunks of the same commit, as long as it is not decided. */
  rewrite(chunks: readonly Chunk[]): Promise<void>;
  /** In the order of writing. */
  read(commit: string): AsyncIterable<Chunk>;
  remove(commit: string): Promise<void>;
  /** Removes records that nobody can decide on any more. */
  removeBefore(generation: number, checkpoint: bigint): Promise<void>;
  removeAll(generation: number): Promise<void>;
}

/** A stored chunk. Those of older collectors are not compressed. */
type StoredChunk = Pick<Chunk, '_id' | 'generation' | 'from'> &
  (Pick<Chunk, 'documents' | 'rows'> | { readonly packed: Binary });

const entriesMax = 2_000;
/** A larger document is a chunk of its own. */
const bytesMax = 6 * 1024 * 1024;
/** The limit of the server: with a larger document, a decided commit could never be applied. */
const documentBytesMax = 16 * 1024 * 1024;
/** The size of an entry beside its body: names, dimensions, measures. */
const entryBytes = 1_000;

export function createRedoRecords(database: Db): RedoRecords {
  const chunks: Collection<StoredChunk> = database.collection('view_commits', {
    useBigInt64: true,
  });
  return {
    async write(written) {
      for (const chunk of written) await chunks.insertOne(await pack(chunk));
    },
    async rewrite(written) {
      for (const chunk of written)
        await chunks.replaceOne({ _id: chunk._id }, await pack(chunk), { upsert: true });
    },
    async *read(commit) {
      for await (const chunk of chunks.find(ofCommit(commit)).sort({ _id: 1 }).batchSize(2))
        yield unpack(chunk);
    },
    async remove(commit) {
      await chunks.deleteMany(ofCommit(commit));
    },
    async removeBefore(generation, checkpoint) {
      await chunks.deleteMany({ generation, from: { $lt: checkpoint } });
    },
    async removeAll(generation) {
      await chunks.deleteMany({ generation });
    },
  };
}

async function pack({ _id, generation, from, documents, rows }: Chunk): Promise<StoredChunk> {
  const bytes = BSON.serialize({ documents, rows });
  if (bytes.length > documentBytesMax)
    throw new Error(`A document of the commit is larger than ${documentBytesMax} bytes.`);
  return { _id, generation, from, packed: new Binary(await promisify(zstdCompress)(bytes)) };
}

async function unpack(chunk: StoredChunk): Promise<Chunk> {
  if (!('packed' in chunk)) return chunk;
  const { _id, generation, from, packed } = chunk;
  const bytes = await promisify(zstdDecompress)(packed.buffer);
  const { documents, rows } = BSON.deserialize(bytes, { useBigInt64: true }) as Pick<
    Chunk,
    'documents' | 'rows'
  >;
  return { _id, generation, from, documents, rows };
}

/** `;` follows `:` */
function ofCommit(commit: string) {
  return { _id: { $gte: `${commit}:`, $lt: `${commit};` } };
}

/**
 * At least one. Sorted by `_id`, so that two processes that apply the same commit lock in the same
 * order.
 */
export function splitCommit(projection: Projection, commit: Commit, id: string): Chunk[] {
  const { generation, from, to } = commit;
  const rows = toRowDeltas(projection, commit).sort(byId);
  const documents = commit.documents
    .map((document) => toStored(projection, generation, BigInt(to), document))
    .sort(byId);
  const chunks: Chunk[] = [];
  let open: { documents: Stored[]; rows: RowDelta[] } = { documents: [], rows: [] };
  let bytes = 0;
  const close = (): void => {
    chunks.push({
      _id: `${id}:${String(chunks.length).padStart(6, '0')}`,
      generation,
      from: BigInt(from),
      ...open,
    });
    open = { documents: [], rows: [] };
    bytes = 0;
  };
  const makeRoom = (more: number): void => {
    const entries = open.documents.length + open.rows.length;
    if (entries > 0 && (entries >= entriesMax || bytes + more > bytesMax)) close();
    bytes += more;
  };
  for (const row of rows) {
    makeRoom(entryBytes);
    open.rows.push(row);
  }
  for (const document of documents) {
    makeRoom(entryBytes + Buffer.byteLength(String(document.body)));
    open.documents.push(document);
  }
  close();
  return chunks;
}

function toRowDeltas({ name, rollups }: Projection, { generation, deltas }: Commit): RowDelta[] {
  return deltas.map(({ rollup, dimensions, measures }) => {
    if (!rollups.some((known) => known.name === rollup.name))
      throw new Error(`Projection ${name} has no rollup ${rollup.name}.`);
    return {
      rollup: rollup.name,
      _id: rowId(generation, dimensions),
      dimensions: Object.fromEntries(
        rollup.dimensions.map((dimension, index) => [
          dimension,
          encodeField(dimension, dimensions[index] ?? ''),
        ]),
      ),
      measures: sumMeasures(
        rollup.measures.map((measure, index) => [measure, measures[index] ?? 0n]),
      ),
    };
  });
}

function byId(left: { readonly _id: string }, right: { readonly _id: string }): number {
  return left._id < right._id ? -1 : left._id > right._id ? 1 : 0;
}
