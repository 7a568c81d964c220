/**
 * The list of view generations, the same in every store from here on. Programs from before
 * migrations created the log's tables and this one separately, so their stores may lack it. It had
 * no `settings` column at first: views folded without any.
 */
import type { Migration } from '../migration.ts';
import type { SqliteTarget } from './target.ts';

const liveIndex =
  'CREATE UNIQUE INDEX IF NOT EXISTS view_generations_live ' +
  'ON view_generations (projection) WHERE live = 1;';

const table = `
  CREATE TABLE IF NOT EXISTS view_generations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    projection TEXT NOT NULL,
    version INTEGER NOT NULL,
    settings TEXT NOT NULL DEFAULT '',
    shape TEXT NOT NULL,
    checkpoint INTEGER NOT NULL,
    live INTEGER NOT NULL
  ) STRICT;
  ${liveIndex}
`;

export const viewGenerations: Migration<SqliteTarget> = {
  name: '0004-view-generations',
  up({ database }) {
    database.exec(table);
    const settings = database
      .prepare("SELECT 1 FROM pragma_table_info('view_generations') WHERE name = 'settings'")
      .get();
    if (settings === undefined)
      database.exec("ALTER TABLE view_generations ADD COLUMN settings TEXT NOT NULL DEFAULT ''");
  },
};
