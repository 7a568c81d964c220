/** What a subscriber keeps beside its checkpoint. */
import type { Migration } from '../migration.ts';
import type { MigrationTarget } from './target.ts';

export const checkpointState: Migration<MigrationTarget> = {
  name: '0006-checkpoint-state',
  up({ database }) {
    database.exec('ALTER TABLE checkpoints ADD COLUMN state TEXT');
  },
};
