import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { openSqliteViews } from '../../collector/views/sqlite.ts';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { commit, delta, find, goLive, sum, thing } from './views/stores.ts';
import { things } from './views/things.ts';
import { viewsSuite } from './views.ts';

const directory = temporaryDirectory();
let stores = 0;

function nextPath(): string {
  stores += 1;
  return join(directory, `${stores}.db`);
}

viewsSuite('sqlite', async () => {
  const path = nextPath();
  const module = new URL('../../collector/views/sqlite.ts', import.meta.url).href;
  return {
    views: openSqliteViews({ path }),
    reopen: async () => openSqliteViews({ path }),
    opener: { module, name: 'openSqliteViews', argument: { path } },
  };
});

describe('views: sqlite, opened for reading', () => {
  it('answers while another process writes, and refuses to write', async () => {
    const path = nextPath();
    const writing = openSqliteViews({ path });
    const generation = await goLive(writing, things);
    await commit(writing, generation, 1, { documents: [thing('a')], deltas: [delta(['d', 'p', 'u'], [1n, 2n])] });
    const reading = openSqliteViews({ path, readOnly: true });
    expect(await find(reading)).toEqual([thing('a')]);
    await commit(writing, { ...generation, checkpoint: 1 }, 2, { deltas: [delta(['d', 'q', 'u'], [1n, 3n])] });
    expect(await sum(reading, ['project'])).toEqual({ p: [1n, 2n], q: [1n, 3n] });
    await goLive(writing, things);
    expect(await find(reading)).toEqual([]);
    await expect(reading.begin(things)).rejects.toThrow('readonly');
    await Promise.all([reading.close(), writing.close()]);
  });

  it('takes the views of a program that kept no settings for none, and for folded without any once it may write', async () => {
    const path = nextPath();
    const old = openSqliteViews({ path });
    await goLive(old, things);
    await old.close();
    const database = new DatabaseSync(path);
    database.exec('ALTER TABLE view_generations DROP COLUMN settings');
    database.close();
    const reading = openSqliteViews({ path, readOnly: true });
    expect(await reading.live(things)).toBeNull();
    expect(await find(reading)).toEqual([]);
    const writing = openSqliteViews({ path });
    expect(await writing.live(things)).toMatchObject({ settings: '', checkpoint: 0 });
    expect((await goLive(writing, things)).settings).toBe(things.settings);
    await Promise.all([reading.close(), writing.close()]);
  });

  it('has no views where nobody has made any yet', async () => {
    const path = nextPath();
    writeFileSync(path, '');
    const reading = openSqliteViews({ path, readOnly: true });
    expect(await reading.live(things)).toBeNull();
    expect(await find(reading)).toEqual([]);
    expect(await sum(reading, [])).toEqual({ '': [0n, 0n] });
    await reading.close();
  });
});
