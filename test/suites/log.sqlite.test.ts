import { join } from 'node:path';
import { openSqliteLog } from '../../collector/stores/sqlite/log/log.ts';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { logKillSuite } from './log/kills.ts';
import { logSuite } from './log.ts';

const directory = temporaryDirectory();
let stores = 0;

logSuite('sqlite', async () => {
  const path = newStore();
  return { log: openSqliteLog({ path }), reopen: async () => openSqliteLog({ path }) };
});

logKillSuite('sqlite', {
  child: new URL('./log/append-sqlite.ts', import.meta.url),
  newStore,
  open: async (path) => openSqliteLog({ path }),
  isAtomic: true,
});

function newStore(): string {
  stores += 1;
  return join(directory, `${stores}.db`);
}
