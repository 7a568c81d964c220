import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { migrateSqlite } from '../../collector/stores/sqlite/migrate.ts';
import { openSqliteViews } from '../../collector/stores/sqlite/views/views.ts';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { openViewsAt } from './views/open-sqlite.ts';
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
  const argument = { path: nextPath() };
  return {
    views: await openViewsAt(argument),
    reopen: async () => openSqliteViews(argument),
    opener: {
      module: new URL('../../collector/stores/sqlite/views/views.ts', import.meta.url).href,
      name: 'openSqliteViews',
      argument,
    },
  };
});

describe('views: sqlite, opened for reading', () => {
  it('answers while another process writes, and refuses to write', async () => {
    const path = nextPath();
    const writing = await openViewsAt({ path });
    const generation = await goLive(writing, things);
    await commit(writing, generation, 1, {
      documents: [thing('a')],
      deltas: [delta(['d', 'p', 'u'], [1n, 2n])],
    });
    const reading = openSqliteViews({ path, readOnly: true });
    expect(await find(reading)).toEqual([thing('a')]);
    await commit(writing, { ...generation, checkpoint: 1 }, 2, {
      deltas: [delta(['d', 'q', 'u'], [1n, 3n])],
    });
    expect(await sum(reading, ['project'])).toEqual({ p: [1n, 2n], q: [1n, 3n] });
    await goLive(writing, things);
    expect(await find(reading)).toEqual([]);
    await expect(reading.begin(things)).rejects.toThrow('readonly');
    await Promise.all([reading.close(), writing.close()]);
  });

  it('has no views where nobody has made any yet', async () => {
    const path = nextPath();
    await migrateSqlite({ path });
    const reading = openSqliteViews({ path, readOnly: true });
    expect(await reading.live(things)).toBeNull();
    expect(await find(reading)).toEqual([]);
    expect(await sum(reading, [])).toEqual({ '': [0n, 0n] });
    await reading.close();
  });
});
