/**
 * Schema migrations of a SQLite store, in order. A new one is a file here and a line at the end.
 */
import type { Migration } from '../migration.ts';
import { logAndViews } from './0001-log-and-views.ts';
import { tokens } from './0002-tokens.ts';
import { seals } from './0003-seals.ts';
import { viewGenerations } from './0004-view-generations.ts';
import { checkpoints } from './0005-checkpoints.ts';
import { checkpointState } from './0006-checkpoint-state.ts';
import { withdrawals } from './0007-withdrawals.ts';
import type { SqliteTarget } from './target.ts';

export const sqliteMigrations: readonly Migration<SqliteTarget>[] = [
  logAndViews,
  tokens,
  seals,
  viewGenerations,
  checkpoints,
  checkpointState,
  withdrawals,
];
