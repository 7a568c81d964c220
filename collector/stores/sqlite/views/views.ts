/**
 * The views in a SQLite file (`node:sqlite`), in tables beside the log's.
 *
 * Implements views.ts. A commit is one transaction: documents, rollup deltas and checkpoint are all
 * stored or none is. It is not synced on its own (synchronous NORMAL): after a power loss the views
 * may be a little behind the log, and are folded on from there.
 *
 * A sum beyond 64 bits continues in two parts (wide.ts); it never wraps and never becomes a float.
 * Sums of many rows run in slices (slices.ts). Other questions run synchronously, but those of one
 * answer are not one stretch: others get the thread between them.
 */
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Projection } from '../../../projections/projection.ts';
import { turnsInTime } from '../../../timers/in-turns.ts';
import { coarsestFor } from '../../../views/coarsest.ts';
import { tallied } from '../../../views/tallied.ts';
import type { Generation, SetAside, SetAsideList, SumRow, Views } from '../../../views/views.ts';
import { openFile } from '../open-file.ts';
import { createGenerations } from './generations.ts';
import { countDocuments, findDocuments } from './queries.ts';
import { createSlicedSums, isLong } from './slices.ts';
import { sumRollup } from './sums.ts';
import { hasTable, setAsideTable } from './tables.ts';
import { tallyRollup } from './tally.ts';
import { createWriter, type Writer } from './writer.ts';

interface SqliteViewsOptions {
  /** The file of an existing, migrated store. */
  readonly path: string;
  /** For a process without the store's lock: writes are rejected. */
  readonly readOnly?: boolean;
}

const cacheKib = 16_384;
/** Some 2,000 rows with those of coarser rollups, which take 20 ms, and a checkpoint 40 ms. */
const rowsPerCommit = 500;

/** Throws errors of the file system and SQLite: no permission, disk full, not a database. */
export function openSqliteViews({ path, readOnly = false }: SqliteViewsOptions): Views {
  const database = openFile({ path, readOnly, synchronous: 'NORMAL', cacheKib });
  const generations = createGenerations(database);
  const turnIfDue = turnsInTime();
  const writers = new Map<number, Writer>();
  // Another connection to memory would be another store.
  const hasSlices = path !== ':memory:';
  const sliced = createSlicedSums(() => openFile({ path, readOnly: true, cacheKib }));

  const writerOf = (projection: Projection, id: number): Writer | null => {
    const known = writers.get(id);
    if (known !== undefined) return known.projection === projection.name ? known : null;
    const generation = generations.byId(projection, id);
    if (generation === null) return null;
    const writer = createWriter(database, projection, id);
    writers.set(id, writer);
    return writer;
  };
  const forget = (dropped: readonly number[]): void => {
    for (const id of dropped) writers.delete(id);
  };
  /**
   * Uses one snapshot, so that another process cannot drop the generation between finding it and
   * querying it.
   */
  const ask = <Answer>(
    projection: Projection,
    none: Answer,
    query: (live: Generation) => Answer,
  ): Answer =>
    transact(database, 'BEGIN', () => {
      const live = generations.live(projection);
      return live === null ? none : query(live);
    });

  return {
    rowsPerCommit,
    async live(projection) {
      return generations.live(projection);
    },
    async begin(projection, checkpoint = 0) {
      return transact(database, 'BEGIN IMMEDIATE', () => {
        forget(generations.dropUnfinished(projection));
        return generations.create(projection, checkpoint);
      });
    },
    async promote(projection, generation) {
      return transact(database, 'BEGIN IMMEDIATE', () => {
        if (generations.byId(projection, generation) === null) return 'stale';
        forget(generations.promote(projection, generation));
        return 'promoted';
      });
    },
    async load(projection, generation, keys) {
      return writerOf(projection, generation)?.load(keys) ?? new Map();
    },
    async commit(projection, commit) {
      const writer = writerOf(projection, commit.generation);
      if (writer === null) return 'stale';
      try {
        return transact(database, 'BEGIN IMMEDIATE', () => {
          if (!generations.advance(commit.generation, commit.from, commit.to)) return 'stale';
          writer.write(commit.documents, commit.deltas);
          writeSetAside(database, commit.generation, commit.setAside ?? []);
          return 'committed';
        });
      } catch (error) {
        // The writer may remember words whose rows were rolled back.
        writers.delete(commit.generation);
        throw error;
      }
    },
    async find(projection, query) {
      await turnIfDue();
      return ask(projection, [], ({ id }) => findDocuments(database, projection, id, query));
    },
    async count(projection, where) {
      await turnIfDue();
      return ask(projection, 0, ({ id }) => countDocuments(database, projection, id, where));
    },
    async sum(projection, rollup, query) {
      await turnIfDue();
      const none =
        query.by.length > 0
          ? []
          : [
              {
                dimensions: {},
                measures: Object.fromEntries(rollup.measures.map((name) => [name, 0n])),
              },
            ];
      const short = ask<readonly SumRow[] | null>(projection, none, ({ id }) => {
        const summed = { rollup: coarsestFor(rollup, query), generation: id };
        if (hasSlices && isLong(database, summed, query)) return null;
        return sumRollup(database, { ...summed, slice: null }, query);
      });
      return short ?? (await sliced.sum(projection, rollup, query, none));
    },
    async tally(projection, rollup, query) {
      // Several of them for one answer are not one stretch.
      await nextTurn();
      return ask(projection, tallied(query, []), ({ id }) =>
        tallyRollup(database, rollup, id, query),
      );
    },
    async setAside(projection, limit) {
      return ask(projection, { count: 0, events: [] }, ({ id }) =>
        readSetAside(database, id, limit),
      );
    },
    async close() {
      sliced.close();
      database.close();
    },
  };
}

/** SQLite may have rolled back by itself, after SQLITE_FULL for instance. */
function transact<Result>(
  database: DatabaseSync,
  begin: 'BEGIN' | 'BEGIN IMMEDIATE',
  work: () => Result,
): Result {
  database.exec(begin);
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

// Events set aside by a generation, in a table that the first of them creates.

/** Runs inside the caller's transaction. */
function writeSetAside(
  database: DatabaseSync,
  generation: number,
  events: readonly SetAside[],
): void {
  if (events.length === 0) return;
  const table = setAsideTable(generation);
  database.exec(
    `CREATE TABLE IF NOT EXISTS "${table}"
     (position INTEGER PRIMARY KEY, event_id TEXT NOT NULL, reason TEXT NOT NULL) STRICT`,
  );
  const insert = database.prepare(
    `INSERT OR IGNORE INTO "${table}" (position, event_id, reason) VALUES (?, ?, ?)`,
  );
  for (const { position, eventId, reason } of events)
    insert.run(position, eventId.toWellFormed(), reason.toWellFormed());
}

function readSetAside(database: DatabaseSync, generation: number, limit: number): SetAsideList {
  const table = setAsideTable(generation);
  if (!hasTable(database, table)) return { count: 0, events: [] };
  const { count } = database.prepare(`SELECT count(*) AS count FROM "${table}"`).get() as {
    count: number;
  };
  const events = database
    .prepare(
      `SELECT position, event_id AS eventId, reason FROM "${table}" ORDER BY position LIMIT ?`,
    )
    .all(limit);
  return { count, events: events as unknown as SetAside[] };
}
