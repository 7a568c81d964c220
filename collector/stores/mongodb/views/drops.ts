/**
 * Removes the documents of dropped generations in the background: for a large generation that takes
 * minutes, and neither a swap nor folding waits for it.
 *
 * Contract: the documents of a generation marked as dropped go with one of the next sweeps,
 * including late writes. A failed sweep leaves the rest to the next one: at the next swap, or when
 * another process first looks at the view. `stop` ends it after the current batch, and never
 * rejects.
 */
import type { Db } from 'mongodb';
import type { Projection } from '../../../projections/projection.ts';
import type { MongodbGenerations } from './generations.ts';
import { storedIn } from './layout.ts';
import type { RedoRecords } from './redo.ts';
import { setAsideCollection } from './set-aside.ts';

/** Deletes in batches: a single delete of millions would exceed the time limit of an operation. */
const batchMax = 5_000;

export interface Sweeper {
  /** Never throws, never blocks. */
  sweep(projection: Projection): void;
  /** Like `sweep`, but only on the first call in this process. */
  sweepOnce(projection: Projection): void;
  stop(): Promise<void>;
}

export function createSweeper(
  database: Db,
  generations: MongodbGenerations,
  redo: RedoRecords,
): Sweeper {
  /** By name of the projection. */
  const wanted = new Map<string, Projection>();
  const sweptOnce = new Set<string>();
  let running: Promise<void> | null = null;
  let isStopped = false;

  async function run(): Promise<void> {
    for (let projection = next(); projection !== undefined; projection = next()) {
      for (const { _id, collections } of await generations.dropped(projection)) {
        if (isStopped) return;
        await redo.removeAll(_id);
        for (const name of [...collections, setAsideCollection]) await removeFrom(name, _id);
      }
    }
  }

  function next(): Projection | undefined {
    const [projection] = isStopped ? [] : wanted.values();
    if (projection !== undefined) wanted.delete(projection.name);
    return projection;
  }

  async function removeFrom(name: string, generation: number): Promise<void> {
    const collection = storedIn(database, name);
    while (!isStopped) {
      const found = await collection
        .find(
          { generation: { $in: [generation, -generation] } },
          { limit: batchMax, projection: { _id: 1 } },
        )
        .toArray();
      if (found.length === 0) return;
      await collection.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
    }
  }

  function sweep(projection: Projection): void {
    wanted.set(projection.name, projection);
    if (isStopped || running !== null) return;
    running = run()
      // The store failed: the writers of the views notice by their own writes.
      .catch(() => wanted.clear())
      .finally(() => {
        running = null;
        const [missed] = wanted.values();
        if (missed !== undefined) sweep(missed);
      });
  }

  return {
    sweep,
    sweepOnce(projection) {
      if (sweptOnce.has(projection.name)) return;
      sweptOnce.add(projection.name);
      sweep(projection);
    },
    async stop() {
      isStopped = true;
      await running;
    },
  };
}
