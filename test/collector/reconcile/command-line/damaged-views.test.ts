/**
 * A ledger with a sound log and damaged views: reconcile must exit with 1 and say so until they are
 * rebuilt.
 */
import type { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { usage } from '../../../../collector/projections/usage.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import {
  type CommandLine,
  commandLine,
  faultsIn,
  reconcileDamaged,
} from '../support/command-line.ts';

const corpus = new URL('../../../accounting-corpus/cases', import.meta.url).pathname;
const directory = temporaryDirectory();
let sound: CommandLine;

beforeAll(async () => {
  sound = commandLine(directory);
  expect(await sound.run('import', '--pi', corpus)).toMatchObject({ code: 0 });
});

describe('reconcile on damaged views', () => {
  const usageTable = (database: DatabaseSync, rollup = 'usage'): string => {
    const row = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE ?")
      .get(`view_%_rollup_${rollup}`);
    return `"${(row as { name: string }).name}"`;
  };
  const rowid = (table: string) => `(SELECT rowid FROM ${table} WHERE nanoUsd > 0 LIMIT 1)`;

  it('names a row whose amount was changed', async () => {
    const damage = (database: DatabaseSync) => {
      const table = usageTable(database);
      database.exec(`UPDATE ${table} SET nanoUsd = nanoUsd + 1 WHERE rowid = ${rowid(table)}`);
    };
    expect(await reconcileDamaged(sound, corpus, damage)).toEqual({
      code: 1,
      faults: ['view_differs'],
    });
  });

  it('names a row that was deleted', async () => {
    const damage = (database: DatabaseSync) => {
      const table = usageTable(database);
      database.exec(`DELETE FROM ${table} WHERE rowid = ${rowid(table)}`);
    };
    expect(await reconcileDamaged(sound, corpus, damage)).toEqual({
      code: 1,
      faults: ['view_differs'],
    });
  });

  it("names a row under another kind, although the session's sum is right", async () => {
    const damage = (database: DatabaseSync) => {
      const table = usageTable(database);
      database.exec(
        `UPDATE ${table} SET kind = (SELECT max(kind) FROM ${table})
         WHERE rowid = (SELECT rowid FROM ${table} ORDER BY kind LIMIT 1)`,
      );
    };
    expect(await reconcileDamaged(sound, corpus, damage)).toEqual({
      code: 1,
      faults: ['view_differs'],
    });
  });

  it.each([
    ['usage', 'project'],
    ['usage', 'user'],
    ['usage_hours', 'model'],
    ['usage_days', 'model'],
    ['usage_days', 'day'],
  ])('names rows of %s under another %s, although every sum is right', async (rollup, name) => {
    const damage = (database: DatabaseSync) => {
      const table = usageTable(database, rollup);
      const [last, first] = ['max', 'min'].map(
        (which) => `(SELECT ${which}("${name}") FROM ${table} WHERE nanoUsd > 0)`,
      );
      database.exec(`UPDATE OR IGNORE ${table} SET "${name}" = ${first} WHERE "${name}" = ${last}`);
    };
    expect(await reconcileDamaged(sound, corpus, damage)).toEqual({
      code: 1,
      faults: ['view_differs'],
    });
  });

  it.each(usage.coarser?.map(({ name }) => name) ?? [])(
    'names a report whose own sums in %s are wrong',
    async (rollup) => {
      const damage = (database: DatabaseSync) =>
        database.exec(`UPDATE ${usageTable(database, rollup)} SET nanoUsd = nanoUsd + 1`);
      expect(await reconcileDamaged(sound, corpus, damage)).toEqual({
        code: 1,
        faults: ['view_differs'],
      });
    },
  );

  it('names a session missing from the views, even with an ignored project', async () => {
    const ignoring = commandLine(directory, {
      projects: [{ match: 'no-such-project', ignore: true }],
    });
    await ignoring.run('import', '--pi', corpus);
    expect((await ignoring.reconcile('--pi', corpus)).code).toBe(0);
    ignoring.change((database) => {
      const table = usageTable(database);
      database.exec(`DELETE FROM ${table} WHERE session = (SELECT max(session) FROM ${table})`);
    });
    const { code, answer } = await ignoring.reconcile('--pi', corpus);
    expect({ code, faults: faultsIn(answer) }).toEqual({ code: 1, faults: ['view_differs'] });
  });

  it('is content once the views were rebuilt', async () => {
    const damaged = sound.copy();
    damaged.change((database) => database.exec(`UPDATE ${usageTable(database)} SET nanoUsd = 0`));
    expect((await damaged.reconcile('--pi', corpus)).code).toBe(1);
    await damaged.run('rebuild', 'sessions');
    expect((await damaged.reconcile('--pi', corpus)).code).toBe(0);
  });
});
