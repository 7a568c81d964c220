/**
 * Changes no table: the seal in force is a row of `meta` (log/sqlite-history.ts). It is here
 * because programs that do not know seals would fold a log without its history.
 */
import type { Migration } from '../migration.ts';
import type { SqliteContext } from './context.ts';

export const seals: Migration<SqliteContext> = { name: '0003-seals', up: () => undefined };
