/** Queries of views in MongoDB: with concurrent changes, beyond 64 bits, and read-only. */
import type { Db } from 'mongodb';
import { afterEach, describe, expect, it } from 'vitest';
import {
  connectMongodb,
  type MongodbConnection,
} from '../../collector/stores/mongodb/connection.ts';
import { migrateMongodb } from '../../collector/stores/mongodb/schema.ts';
import { openMongodbViews } from '../../collector/stores/mongodb/views/views.ts';
import { laneDatabases } from '../services/mongodb/databases.ts';
import { commit, delta, find, goLive, sum, thing } from '../suites/views/stores.ts';
import { things } from '../suites/views/things.ts';
import { answeringAfter } from './views-halting.ts';

const databases = laneDatabases();
const opened: MongodbConnection[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((connection) => connection.close()));
});

async function openDatabase(): Promise<Db> {
  const connection = await connectMongodb({ uri: databases.uri() });
  opened.push(connection);
  await migrateMongodb(connection.database);
  return connection.database;
}

describe('a query', () => {
  it('that a swap overtakes is asked again, of the new generation', async () => {
    const database = await openDatabase();
    const views = openMongodbViews({ database });
    const rows = { deltas: [delta(['d', 'p', 'u'], [1n, 10n])] };
    expect(await commit(views, await goLive(views, things), 1, rows)).toBe('committed');
    const next = await views.begin(things);
    expect(await commit(views, next, 1, rows)).toBe('committed');
    let swaps = 0;
    const overtaken = openMongodbViews({
      database: answeringAfter(database, async () => {
        swaps += 1;
        if (swaps === 1) expect(await views.promote(things, next.id)).toBe('promoted');
      }),
    });
    expect(await sum(overtaken, ['project'])).toEqual({ p: [1n, 10n] });
    expect(swaps).toBe(2);
  });

  it('is exact where its sum leaves 64 bits, and where it does not', async () => {
    const views = openMongodbViews({ database: await openDatabase() });
    const generation = await goLive(views, things);
    const half = 2n ** 62n;
    await commit(views, generation, 1, {
      deltas: [delta(['d', 'p', 'u'], [1n, half]), delta(['d', 'q', 'u'], [1n, half])],
    });
    expect(await sum(views, [])).toEqual({ '': [2n, 2n * half] });
    expect(await sum(views, ['project'])).toEqual({ p: [1n, half], q: [1n, half] });
  });
});

describe('views that are opened for reading', () => {
  it('answer, and write nothing', async () => {
    const database = await openDatabase();
    const writing = openMongodbViews({ database });
    const generation = await goLive(writing, things);
    expect(await commit(writing, generation, 1, { documents: [thing('a')] })).toBe('committed');
    const reading = openMongodbViews({ database, readOnly: true });
    expect(await find(reading)).toEqual([thing('a')]);
    expect(await reading.live(things)).toEqual({ ...generation, checkpoint: 1 });
    await expect(reading.begin(things)).rejects.toThrow('read-only');
    await expect(reading.promote(things, generation.id)).rejects.toThrow('read-only');
    await expect(commit(reading, { ...generation, checkpoint: 1 }, 2)).rejects.toThrow('read-only');
  });
});
