/** The table of subscribers' checkpoints. */
import type { Migration } from '../migration.ts';
import type { SqliteTarget } from './target.ts';

const table = `
  CREATE TABLE checkpoints (
    name TEXT PRIMARY KEY,
    position INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

export const checkpoints: Migration<SqliteTarget> = {
  name: '0005-checkpoints',
  up({ database }) {
    database.exec(table);
  },
};
