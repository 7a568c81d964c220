/**
 * The views of an overview's load, in a file or on a server of the lane `mongodb`, and the number
 * of rows in their rollups.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { connectMongodb } from '../../../collector/stores/mongodb/connection.ts';
import { migrateMongodb } from '../../../collector/stores/mongodb/schema.ts';
import { openMongodbViews } from '../../../collector/stores/mongodb/views/views.ts';
import { migrateSqlite } from '../../../collector/stores/sqlite/migrate.ts';
import { openSqliteViews } from '../../../collector/stores/sqlite/views/views.ts';
import type { Views } from '../../../collector/views/views.ts';
import { findServer } from '../../../test/services/mongodb/find-server.ts';
import type { BenchOptions } from '../benchmark.ts';
import { withDatabase } from '../mongodb/own-database.ts';
import { withTemporaryDirectory } from '../temporary-directory.ts';

export interface OverviewStore {
  /** Name in tables. */
  readonly name: string;
  readonly views: Views;
  rows(rollup: string, generation: number): Promise<number>;
}

/** Its data is removed when `use` has ended. */
export const withStore: Readonly<
  Record<
    BenchOptions['stores'][number],
    <Result>(use: (store: OverviewStore) => Promise<Result>) => Promise<Result>
  >
> = {
  sqlite: (use) =>
    withTemporaryDirectory(async (directory) => {
      const path = join(directory, 'views.db');
      await migrateSqlite({ path });
      const views = openSqliteViews({ path });
      try {
        return await use({
          name: 'SQLite',
          views,
          rows: async (rollup, generation) => countRows(path, rollup, generation),
        });
      } finally {
        await views.close();
      }
    }),
  async mongodb(use) {
    const found = await findServer(process.env, { isSynced: true });
    if (found.kind === 'none') throw new Error(found.reason);
    const { uri, name, stop } = found.server;
    try {
      return await withDatabase(uri, async (own) => {
        const { database, close } = await connectMongodb({ uri: own });
        await migrateMongodb(database);
        const views = openMongodbViews({ database });
        try {
          const rows = (rollup: string, generation: number) =>
            database.collection(rollup).countDocuments({ generation });
          return await use({ name, views, rows });
        } finally {
          await views.close();
          await close();
        }
      });
    } finally {
      await stop();
    }
  },
};

function countRows(path: string, rollup: string, generation: number): number {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const { rows } = database
      .prepare(`SELECT count(*) AS rows FROM "view_${generation}_rollup_${rollup}"`)
      .get() as { rows: number };
    return rows;
  } finally {
    database.close();
  }
}
