import { join } from 'node:path';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { openStore } from '../collector/support/open-store.ts';
import { cellsSuite } from './cells.ts';

const directory = temporaryDirectory();
let opened = 0;

cellsSuite('sqlite', async (count) => {
  const locations = Array.from({ length: count }, () => {
    opened += 1;
    return join(directory, String(opened), 'ledger.db');
  });
  return Promise.all(
    locations.map((location) =>
      openStore(`sqlite:${location}`, {
        now: Date.now,
        onError(error) {
          throw error;
        },
      }),
    ),
  );
});
