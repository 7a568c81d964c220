/**
 * Schema migrations of a MongoDB store, in order. A new one is a file here and a line at the end.
 */
import type { Migration } from '../migration.ts';
import { logAndViews } from './0001-log-and-views.ts';
import { tokens } from './0002-tokens.ts';
import { seals } from './0003-seals.ts';
import { checkpoints } from './0004-checkpoints.ts';
import { withdrawals } from './0005-withdrawals.ts';
import type { MongodbTarget } from './target.ts';

export const mongodbMigrations: readonly Migration<MongodbTarget>[] = [
  logAndViews,
  tokens,
  seals,
  checkpoints,
  withdrawals,
];
