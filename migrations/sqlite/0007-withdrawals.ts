/** Which events of the log are withdrawals, so that they are found without reading all of it. */
import type { Migration } from '../migration.ts';
import type { SqliteTarget } from './target.ts';

export const withdrawals: Migration<SqliteTarget> = {
  name: '0007-withdrawals',
  up({ database }) {
    database.exec('CREATE TABLE withdrawals (event_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID');
  },
};
