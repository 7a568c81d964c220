/** Commits that stop at any of their writes while others continue, and then return, or never do. */
import { zstdDecompressSync } from 'node:zlib';
import { type Binary, BSON, type Db, type Document } from 'mongodb';
import { afterEach, describe, expect, it } from 'vitest';
import {
  connectMongodb,
  type MongodbConnection,
} from '../../collector/stores/mongodb/connection.ts';
import { migrateMongodb } from '../../collector/stores/mongodb/schema.ts';
import { openMongodbViews } from '../../collector/stores/mongodb/views/views.ts';
import type { Views } from '../../collector/views/views.ts';
import { laneDatabases } from '../services/mongodb/databases.ts';
import { commit, delta, emptyCommit, find, goLive, sum, thing } from '../suites/views/stores.ts';
import { expectConsistent, storyCommit, things } from '../suites/views/things.ts';
import { deletingAfter, haltingDatabase } from './views-halting.ts';

const databases = laneDatabases();
const opened: MongodbConnection[] = [];
/** More rows than a commit of the story has. */
const writesMax = 12;

afterEach(async () => {
  await Promise.all(opened.splice(0).map((connection) => connection.close()));
});

async function openDatabase(): Promise<Db> {
  const connection = await connectMongodb({ uri: databases.uri() });
  opened.push(connection);
  await migrateMongodb(connection.database);
  return connection.database;
}

async function commitNext(views: Views): Promise<string> {
  const live = await views.live(things);
  return live === null
    ? 'no view'
    : views.commit(things, storyCommit(live.id, live.checkpoint + 1));
}

describe('a generation that is dropped', () => {
  it('keeps nobody waiting who swaps the view, and is gone soon after', async () => {
    const database = await openDatabase();
    const removing = Promise.withResolvers<void>();
    const views = openMongodbViews({ database: deletingAfter(database, () => removing.promise) });
    const old = await goLive(views, things);
    const filled = { documents: [thing('a')], deltas: [delta(['d', 'p', 'u'], [1n, 10n])] };
    expect(await commit(openMongodbViews({ database }), old, 1, filled)).toBe('committed');
    const fresh = await goLive(views, things);
    expect(await views.live(things)).toEqual(fresh);
    for (const name of ['things', 'thing_sums'])
      expect(await database.collection(name).countDocuments()).toBe(1);
    removing.resolve();
    for (const name of ['things', 'thing_sums'])
      await expect.poll(() => database.collection(name).countDocuments()).toBe(0);
  });

  it('is removed by the next process that looks at the view when its dropper died', async () => {
    const database = await openDatabase();
    const ending = openMongodbViews({
      database: deletingAfter(database, () => Promise.reject(new Error('it ends'))),
    });
    await goLive(ending, things);
    const next = await ending.begin(things);
    await openMongodbViews({ database }).commit(things, {
      ...emptyCommit,
      generation: next.id,
      from: 0,
      to: 1,
      documents: [thing('a')],
    });
    await goLive(ending, things);
    await ending.close();
    expect(await database.collection('things').countDocuments()).toBe(1);
    await openMongodbViews({ database }).live(things);
    await expect.poll(() => database.collection('things').countDocuments()).toBe(0);
  });
});

describe('a commit that stops before any of its writes', () => {
  it('is finished by others or never existed, and does no harm when it returns', async () => {
    const database = await openDatabase();
    const others = openMongodbViews({ database });
    await goLive(others, things);
    for (let i = 0; i < 4; i++) expect(await commitNext(others)).toBe('committed');
    const outcomes: string[] = [];
    for (let write = 0; write < writesMax; write++) {
      const halting = haltingDatabase(database);
      const paused = openMongodbViews({ database: halting.database });
      halting.haltBefore(write);
      const before = await expectConsistent(others);
      const outcome = commitNext(paused);
      if (!(await halting.halted(outcome))) break;
      const seen = await expectConsistent(others);
      expect(seen - before).toBeLessThanOrEqual(1);
      for (let i = 0; i < 4; i++) expect(await commitNext(others)).toBe('committed');
      expect(await expectConsistent(others)).toBe(seen + 4);
      halting.goOn();
      outcomes.push(await outcome);
      // What was undecided when the others continued is stale; what was decided is in.
      expect(outcomes.at(-1)).toBe(seen > before ? 'committed' : 'stale');
      expect(await expectConsistent(others)).toBe(seen + 4);
    }
    expect(outcomes.filter((outcome) => outcome === 'stale')).toHaveLength(2);
    expect(outcomes.filter((outcome) => outcome === 'committed').length).toBeGreaterThanOrEqual(4);
  });

  it('never returns: the next process finds all of it or nothing, and no record', async () => {
    const database = await openDatabase();
    const others = openMongodbViews({ database });
    await goLive(others, things);
    expect(await commitNext(others)).toBe('committed');
    const neverAgain: Promise<string>[] = [];
    for (let write = 0; write < writesMax; write++) {
      const halting = haltingDatabase(database);
      halting.haltBefore(write);
      const outcome = commitNext(openMongodbViews({ database: halting.database }));
      if (!(await halting.halted(outcome))) break;
      neverAgain.push(outcome);
      await expectConsistent(others);
      expect(await commitNext(others)).toBe('committed');
    }
    expect(neverAgain.length).toBeGreaterThanOrEqual(6);
    await expectConsistent(others);
    expect(await database.collection('view_commits').countDocuments()).toBe(0);
  });

  it('is stale when its generation was dropped, and the next rebuild clears its rest', async () => {
    const database = await openDatabase();
    const others = openMongodbViews({ database });
    await goLive(others, things);
    expect(await commitNext(others)).toBe('committed');
    const halting = haltingDatabase(database);
    // Decided, and nothing applied.
    halting.haltBefore(2);
    const outcome = commitNext(openMongodbViews({ database: halting.database }));
    expect(await halting.halted(outcome)).toBe(true);
    const fresh = await goLive(others, things);
    halting.goOn();
    expect(await outcome).toBe('stale');
    expect(await others.live(things)).toEqual(fresh);
    expect(
      await others.find(things, {
        where: [],
        orderBy: { column: 'key', descending: false },
        limit: 10,
      }),
    ).toEqual([]);
    await others.begin(things);
    for (const name of ['things', 'thing_sums'])
      await expect.poll(() => database.collection(name).countDocuments()).toBe(0);
  });

  it('is finished also by one who only commits, and whose own commit is then stale', async () => {
    const database = await openDatabase();
    const others = openMongodbViews({ database });
    const { id } = await goLive(others, things);
    const halting = haltingDatabase(database);
    halting.haltBefore(2);
    const outcome = commitNext(openMongodbViews({ database: halting.database }));
    expect(await halting.halted(outcome)).toBe(true);
    expect(await others.commit(things, storyCommit(id, 1))).toBe('stale');
    expect(await others.commit(things, storyCommit(id, 2))).toBe('committed');
    halting.goOn();
    expect(await outcome).toBe('committed');
    expect(await expectConsistent(others)).toBe(2);
  });

  it('and that emptied a row: it stays empty when the commit comes back', async () => {
    const database = await openDatabase();
    const others = openMongodbViews({ database });
    const generation = await goLive(others, things);
    await commit(others, generation, 1, {
      deltas: [delta(['d', 'p', 'u'], [1n, 10n]), delta(['d', 'q', 'u'], [1n, 1n])],
    });
    const halting = haltingDatabase(database);
    halting.haltBefore(2);
    const paused = openMongodbViews({ database: halting.database });
    const outcome = commit(paused, { ...generation, checkpoint: 1 }, 2, {
      deltas: [delta(['d', 'p', 'u'], [-1n, -10n])],
    });
    expect(await halting.halted(outcome)).toBe(true);
    expect(await others.live(things)).toMatchObject({ checkpoint: 2 });
    expect(await sum(others, ['project'])).toEqual({ q: [1n, 1n] });
    halting.goOn();
    expect(await outcome).toBe('committed');
    expect(await sum(others, ['project'])).toEqual({ q: [1n, 1n] });
    expect(await sum(others, [])).toEqual({ '': [1n, 1n] });
  });

  it('before it clears up: it takes nothing away that the next commit needs', async () => {
    const database = await openDatabase();
    const others = openMongodbViews({ database });
    const { id } = await goLive(others, things);
    const first = haltingDatabase(database);
    // Record, decision, documents and rows, rows that came to zero, checkpoint; the next one
    // removes the record.
    first.haltBefore(6);
    const clearing = openMongodbViews({ database: first.database }).commit(
      things,
      storyCommit(id, 1),
    );
    expect(await first.halted(clearing)).toBe(true);
    expect(await database.collection('view_commits').countDocuments()).toBe(1);
    const second = haltingDatabase(database);
    second.haltBefore(2);
    const decided = openMongodbViews({ database: second.database }).commit(
      things,
      storyCommit(id, 2),
    );
    expect(await second.halted(decided)).toBe(true);
    first.goOn();
    expect(await clearing).toBe('committed');
    expect(await expectConsistent(others)).toBe(2);
    second.goOn();
    expect(await decided).toBe('committed');
    expect(await expectConsistent(others)).toBe(2);
  });

  it("is finished by others even when it exceeds the server's maximum document size", async () => {
    const database = await openDatabase();
    const others = openMongodbViews({ database });
    const { id } = await goLive(others, things);
    const halting = haltingDatabase(database);
    const count = 2_500;
    const documents = Array.from({ length: count }, (_, index) =>
      thing(`k${index}`, { size: index }, 'x'.repeat(8_000)),
    );
    const deltas = Array.from({ length: count }, (_, index) =>
      delta(['d', `p${index}`, 'u'], [1n, BigInt(index)]),
    );
    const isDecided = async () =>
      (await database.collection('view_generations').countDocuments({ pending: { $ne: null } })) ===
      1;
    // Halts before each of its writes in turn, until it has been decided.
    for (let write = 0; !(await isDecided()); write++) {
      halting.haltBefore(write);
      const outcome = openMongodbViews({ database: halting.database }).commit(things, {
        generation: id,
        from: 0,
        to: 1,
        documents,
        deltas,
      });
      expect(await halting.halted(outcome)).toBe(true);
    }
    expect(await others.live(things)).toMatchObject({ checkpoint: 1 });
    const total = BigInt((count * (count - 1)) / 2);
    expect(await sum(others, [])).toEqual({ '': [BigInt(count), total] });
    expect(await find(others, { limit: count + 1 })).toHaveLength(count);
    expect(await others.load(things, id, ['k2499'])).toEqual(
      new Map([['k2499', 'x'.repeat(8_000)]]),
    );
  });

  it("is finished by others even from an older collector's uncompressed record", async () => {
    const database = await openDatabase();
    const others = openMongodbViews({ database });
    const { id } = await goLive(others, things);
    const halting = haltingDatabase(database);
    // Decided, and nothing applied.
    halting.haltBefore(2);
    const filled = {
      documents: [thing('a', { size: 3 }, 'text')],
      deltas: [delta(['d', 'p', 'u'], [1n, 10n])],
    };
    const outcome = openMongodbViews({ database: halting.database }).commit(things, {
      generation: id,
      from: 0,
      to: 1,
      ...filled,
    });
    expect(await halting.halted(outcome)).toBe(true);
    const records = database.collection('view_commits', { useBigInt64: true });
    const { packed, ...record } = (await records.findOne({})) as Document;
    const content = BSON.deserialize(zstdDecompressSync((packed as Binary).buffer), {
      useBigInt64: true,
    });
    await records.replaceOne({ _id: record._id }, { ...record, ...content });
    expect(await others.live(things)).toMatchObject({ checkpoint: 1 });
    expect(await find(others)).toEqual(filled.documents);
    expect(await sum(others, [])).toEqual({ '': [1n, 10n] });
  });
});
