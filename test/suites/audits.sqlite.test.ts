import { join } from 'node:path';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { openStore } from '../collector/support/open-store.ts';
import { auditsSuite } from './audits.ts';

const directory = temporaryDirectory();
let opened = 0;

for (const cells of [1, 3])
  auditsSuite(
    'sqlite',
    async (count) => {
      const stores = Array.from({ length: count }, () => {
        opened += 1;
        return openStore(`sqlite:${join(directory, String(opened), 'ledger.db')}`, {
          now: Date.now,
          onError(error) {
            throw error;
          },
        });
      });
      return Promise.all(stores);
    },
    { cells, runs: 12 },
  );
