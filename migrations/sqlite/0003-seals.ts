/**
 * Changes no table: the current seal is a row of `meta` (collector/stores/sqlite/). The version
 * number keeps out programs that do not know seals, which would fold a log without its history.
 */
import type { Migration } from '../migration.ts';
import type { SqliteTarget } from './target.ts';

export const seals: Migration<SqliteTarget> = { name: '0003-seals', up: () => undefined };
