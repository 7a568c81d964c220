/**
 * The views in MongoDB or a compatible database. Uses no transactions, change streams or
 * server-side dates.
 *
 * Implements views.ts. A commit counts exactly once whatever dies (commits.ts), even when two
 * processes commit to the same generation. There are no snapshots: a query during a commit may see
 * a part of it, after a crash until the next writer has looked. A commit that rejected after it was
 * decided is finished by whoever looks next; the caller's next commit is then `stale`.
 *
 * Two queries around the swap of two generations are each answered from one generation, never from
 * both.
 */
import type { Db } from 'mongodb';
import type { Projection } from '../../../projections/projection.ts';
import { sumsToTally, tallied } from '../../../views/tallied.ts';
import type { Generation, Views } from '../../../views/views.ts';
import { createCommits } from './commits.ts';
import { createSweeper } from './drops.ts';
import { createMongodbGenerations, type StoredGeneration } from './generations.ts';
import { createIndexes, describeShape, documentId, storedIn } from './layout.ts';
import { countDocuments, findDocuments } from './queries.ts';
import { createRedoRecords } from './redo.ts';
import { readSetAside, writeSetAside } from './set-aside.ts';
import { nothing, sumRows } from './sums.ts';

export interface MongodbViewsOptions {
  /** The connection stays open when the views are closed. */
  readonly database: Db;
  /** For a process without the lease: writes are rejected. */
  readonly readOnly?: boolean;
  readonly now?: () => number;
}

const keysPerLoad = 2_000;
/** How often a query is run again after a swap; generations do not change that often. */
const queriesMax = 5;

/** Contract: the database is migrated. */
export function openMongodbViews({
  database,
  readOnly = false,
  now = Date.now,
}: MongodbViewsOptions): Views {
  const generations = createMongodbGenerations(database, now);
  const redo = createRedoRecords(database);
  const commits = createCommits(database, generations, redo);
  const sweeper = createSweeper(database, generations, redo);

  async function drop(projection: Projection, ids: readonly (number | null)[]): Promise<void> {
    for (const id of ids) if (id !== null) await generations.markDropped(id);
    sweeper.sweep(projection);
  }

  async function liveId(projection: Projection): Promise<number | null> {
    const pointer = await generations.pointer(projection);
    return pointer?.liveShape === describeShape(projection) ? pointer.live : null;
  }

  async function ask<Answer>(
    projection: Projection,
    none: Answer,
    query: (generation: number) => Promise<Answer>,
  ): Promise<Answer> {
    let id = await liveId(projection);
    for (let attempt = 1; ; attempt++) {
      if (id === null) return none;
      const answer = await query(id);
      const now = await liveId(projection);
      if (now === id) return answer;
      if (attempt === queriesMax)
        throw new Error(
          `The view ${projection.name} was replaced during every attempt to query it.`,
        );
      id = now;
    }
  }

  function expectWritable(): void {
    if (readOnly) throw new Error('The views were opened read-only.');
  }

  return {
    async live(projection) {
      const id = await liveId(projection);
      if (id === null) return null;
      const found = await generations.byId(projection, id);
      if (found === null || readOnly) return found && toGeneration(found);
      const leftBehind = await generations.leftBehind(projection, id);
      if (leftBehind.length > 0) await drop(projection, leftBehind);
      else sweeper.sweepOnce(projection);
      const finished = await commits.finish(projection, found);
      return finished && toGeneration(finished);
    },
    async begin(projection, checkpoint = 0) {
      expectWritable();
      await createIndexes(database, projection);
      const created = await generations.create(projection, checkpoint);
      await drop(projection, [await generations.setBuilding(projection, created._id)]);
      return toGeneration(created);
    },
    async promote(projection, generation) {
      expectWritable();
      const found = await generations.byId(projection, generation);
      if (found === null || (await commits.finish(projection, found)) === null) return 'stale';
      const outcome = await generations.setLive(projection, generation);
      if (outcome === 'stale') return 'stale';
      await drop(projection, [outcome.before]);
      return 'promoted';
    },
    async load(projection, generation, keys) {
      const bodies = new Map<string, string>();
      // Documents of dropped generations stay until the sweep.
      if ((await generations.byId(projection, generation)) === null) return bodies;
      for (let from = 0; from < keys.length; from += keysPerLoad) {
        const ids = keys.slice(from, from + keysPerLoad).map((key) => documentId(generation, key));
        const cursor = storedIn(database, projection.name).find(
          { _id: { $in: ids } },
          { projection: { key: 1, body: 1 } },
        );
        for await (const { key, body } of cursor) bodies.set(String(key), String(body));
      }
      return bodies;
    },
    async commit(projection, commit) {
      expectWritable();
      await writeSetAside(database, commit.generation, commit.setAside ?? []);
      return commits.commit(projection, commit);
    },
    find: (projection, query) =>
      ask(projection, [], (generation) => findDocuments(database, projection, generation, query)),
    count: (projection, where) =>
      ask(projection, 0, (generation) => countDocuments(database, projection, generation, where)),
    async sum(projection, rollup, query) {
      const none = query.by.length > 0 ? [] : [nothing(rollup)];
      return ask(projection, none, (generation) => sumRows(database, rollup, generation, query));
    },
    tally: (projection, rollup, query) =>
      ask(projection, tallied(query, []), async (generation) =>
        tallied(query, await sumRows(database, rollup, generation, sumsToTally(query))),
      ),
    setAside: (projection, limit) =>
      ask(projection, { count: 0, events: [] }, (generation) =>
        readSetAside(database, generation, limit),
      ),
    // The opener closes the connection.
    close: () => sweeper.stop(),
  };
}

function toGeneration({ _id, version, settings, checkpoint }: StoredGeneration): Generation {
  return { id: _id, version, settings, checkpoint: Number(checkpoint) };
}
