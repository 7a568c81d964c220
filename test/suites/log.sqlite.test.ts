import { join } from 'node:path';
import { openSqliteLog } from '../../collector/log/sqlite.ts';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { logSuite } from './log.ts';

const directory = temporaryDirectory();
let stores = 0;

logSuite('sqlite', async () => {
  stores += 1;
  const path = join(directory, `${stores}.db`);
  return { log: openSqliteLog({ path }), reopen: async () => openSqliteLog({ path }) };
});
