import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { Projection } from '../../collector/projections/projection.ts';
import { openSqliteLog } from '../../collector/stores/sqlite/log/log.ts';
import { migrateSqlite } from '../../collector/stores/sqlite/migrate.ts';
import { openSqliteCheckpoints } from '../../collector/stores/sqlite/store.ts';
import { openSqliteViews } from '../../collector/stores/sqlite/views/views.ts';
import { sqliteMigrations } from '../../migrations/sqlite/registry.ts';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { openStore } from './migrations/sqlite-store.ts';
import { migrationsSuite } from './migrations.ts';
import { goLive } from './views/stores.ts';
import { things } from './views/things.ts';

const directory = temporaryDirectory();
let stores = 0;

function nextPath(): string {
  stores += 1;
  return join(directory, `${stores}.db`);
}

migrationsSuite('sqlite', () => openStore({ path: nextPath() }));

/** The tables of a store before migrations were recorded, as pi-ledger 0.1 wrote them. */
const storeOf01 = readFileSync(new URL('./migrations/store-0.1.sql', import.meta.url), 'utf8');

describe('migrations: sqlite, a store from before there were any', () => {
  function oldStore(): string {
    const path = nextPath();
    const database = new DatabaseSync(path);
    database.exec(storeOf01);
    database.close();
    return path;
  }

  function schemaOf(path: string): unknown[] {
    const database = new DatabaseSync(path, { readOnly: true });
    const rows = database
      .prepare(
        `SELECT type, name, sql FROM sqlite_schema
         WHERE name <> 'schema' AND sql IS NOT NULL ORDER BY name`,
      )
      .all();
    database.close();
    return rows;
  }

  /** Writes a live view as this program does. */
  async function shapeOfLive(projection: Projection): Promise<string> {
    const path = nextPath();
    await migrateSqlite({ path });
    const views = openSqliteViews({ path });
    await goLive(views, projection);
    await views.close();
    const database = new DatabaseSync(path, { readOnly: true });
    const row = database.prepare('SELECT shape FROM view_generations').get() as { shape: string };
    database.close();
    return row.shape;
  }

  /** Migrations added since then. */
  const younger = [
    '0002-tokens',
    '0003-seals',
    '0004-view-generations',
    '0005-checkpoints',
    '0006-checkpoint-state',
    '0007-withdrawals',
  ];

  it('is taken over as it is, and gets what is new', async () => {
    const path = oldStore();
    const before = schemaOf(path);
    const { migrate, recorded, own } = await openStore({ path });
    expect(await migrate([], true)).toEqual({ applied: [], pending: younger });
    expect(await recorded()).toEqual([]);
    expect(await migrate([])).toEqual({ applied: younger, pending: [] });
    expect(await recorded()).toEqual(own);
    expect(schemaOf(path)).toEqual(expect.arrayContaining(before));
    const log = openSqliteLog({ path });
    expect(log.storeId).toBe('2f0b9a35-3a4e-4a52-9d4c-0c1f5f6d7e80');
    expect((await log.read(0, 10)).map(({ position, event }) => [position, event.id])).toEqual([
      [1, 'e1'],
    ]);
    await log.close();
  });

  it('is recorded also when there is nothing to do', async () => {
    const path = oldStore();
    const migrations = sqliteMigrations.slice(0, 1);
    expect(await migrateSqlite({ path, migrations })).toEqual({ applied: [], pending: [] });
    expect(await (await openStore({ path })).recorded()).toEqual(
      migrations.map(({ name }) => name),
    );
  });

  it('must be migrated before it is opened', () => {
    expect(() => openSqliteLog({ path: oldStore() })).toThrow(
      expect.objectContaining({
        code: 'store_outdated',
        message: expect.stringContaining('pi-ledger migrate'),
      }),
    );
  });

  it('keeps the views of a program that kept no settings, as folded without any', async () => {
    const path = oldStore();
    const database = new DatabaseSync(path);
    database.exec('ALTER TABLE view_generations DROP COLUMN settings');
    const shape = await shapeOfLive(things);
    const insert =
      'INSERT INTO view_generations (projection, version, shape, checkpoint, live) ' +
      'VALUES (?, ?, ?, 0, 1)';
    database.prepare(insert).run(things.name, things.version, shape);
    database.close();
    await migrateSqlite({ path });
    const views = openSqliteViews({ path });
    expect(await views.live(things)).toMatchObject({
      version: things.version,
      settings: '',
      checkpoint: 0,
    });
    expect((await goLive(views, things)).settings).toBe(things.settings);
    await views.close();
  });

  it('gets the list of views where a program died before it had made one', async () => {
    const path = oldStore();
    const database = new DatabaseSync(path);
    database.exec('DROP TABLE view_generations');
    database.close();
    await migrateSqlite({ path });
    const views = openSqliteViews({ path });
    expect(await views.live(things)).toBeNull();
    expect((await goLive(views, things)).settings).toBe(things.settings);
    await views.close();
  });

  it('keeps the checkpoints of a program whose subscribers kept no state', async () => {
    const path = oldStore();
    await migrateSqlite({ path, migrations: sqliteMigrations.slice(0, 5) });
    const database = new DatabaseSync(path);
    database.exec("INSERT INTO checkpoints VALUES ('traces', 7)");
    database.close();
    await migrateSqlite({ path });
    const checkpoints = openSqliteCheckpoints({ path });
    expect(await checkpoints.move('traces', 7, 8)).toBe('moved');
    expect(await checkpoints.list()).toEqual([{ name: 'traces', position: 8, state: null }]);
    await checkpoints.close();
  });

  it('has the tables that a new store has', async () => {
    const path = nextPath();
    await migrateSqlite({ path });
    const columns = (rows: unknown[]) =>
      rows.map((row) =>
        JSON.stringify(row)
          .replace(/(\\n|\s)+/g, ' ')
          .replace('IF NOT EXISTS ', ''),
      );
    const old = oldStore();
    await migrateSqlite({ path: old });
    expect(columns(schemaOf(path))).toEqual(columns(schemaOf(old)));
  });

  it('is brought further, and an older program then refuses it', async () => {
    const path = oldStore();
    const { migrate, recorded, own } = await openStore({ path });
    expect(await migrate([{ name: '9002-second' }])).toEqual({
      applied: [...younger, '9002-second'],
      pending: [],
    });
    expect(await recorded()).toEqual([...own, '9002-second']);
    expect(() => openSqliteLog({ path })).toThrow(
      expect.objectContaining({ code: 'store_too_new' }),
    );
    const database = new DatabaseSync(path, { readOnly: true });
    expect(
      database.prepare("SELECT value FROM meta WHERE key = 'log_schema_version'").get(),
    ).toEqual({ value: '9002' });
    database.close();
  });
});

describe('migrations: sqlite, a file that is something else', () => {
  it('is refused and left as it is', async () => {
    const path = nextPath();
    writeFileSync(path, 'no database at all, and long enough to be looked at'.repeat(10));
    const before = readFileSync(path);
    await expect(migrateSqlite({ path })).rejects.toMatchObject({ code: 'store_invalid' });
    expect(readFileSync(path)).toEqual(before);
    const other = nextPath();
    const database = new DatabaseSync(other);
    database.exec('CREATE TABLE events (name TEXT)');
    database.close();
    await expect(migrateSqlite({ path: other })).rejects.toMatchObject({ code: 'store_invalid' });
  });
});
