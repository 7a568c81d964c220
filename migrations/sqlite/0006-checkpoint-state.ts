/** What a subscriber keeps beside its checkpoint. */
import type { Migration } from '../migration.ts';
import type { SqliteTarget } from './target.ts';

export const checkpointState: Migration<SqliteTarget> = {
  name: '0006-checkpoint-state',
  up({ database }) {
    database.exec('ALTER TABLE checkpoints ADD COLUMN state TEXT');
  },
};
