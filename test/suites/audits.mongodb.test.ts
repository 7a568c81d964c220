import { expect } from 'vitest';
import { mongodb } from '../../collector/stores/mongodb/driver.ts';
import { laneDatabases } from '../services/mongodb/databases.ts';
import { auditsSuite } from './audits.ts';

const databases = laneDatabases();

auditsSuite(
  'mongodb',
  async (count) => {
    const opened =
      (await mongodb.openCells?.(databases.uri(), {
        now: Date.now,
        onError(error) {
          throw error;
        },
        cells: count,
      })) ?? [];
    for (const { right } of opened) expect(await right.take()).toBe(true);
    return opened;
  },
  { cells: 2, runs: 4 },
);
