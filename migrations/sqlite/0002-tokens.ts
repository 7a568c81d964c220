/** The tokens table (collector/stores/sqlite/tokens.ts). */
import type { Migration } from '../migration.ts';
import type { SqliteTarget } from './target.ts';

const table = `
  CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    user TEXT NOT NULL,
    scopes TEXT NOT NULL,
    reading TEXT NOT NULL,
    note TEXT,
    created_at_ms INTEGER NOT NULL,
    expires_at_ms INTEGER,
    revoked_at_ms INTEGER
  ) STRICT, WITHOUT ROWID;
`;

export const tokens: Migration<SqliteTarget> = {
  name: '0002-tokens',
  up({ database }) {
    database.exec(table);
  },
};
