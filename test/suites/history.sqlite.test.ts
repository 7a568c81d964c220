import { join } from 'node:path';
import { openSqliteLog } from '../../collector/stores/sqlite/log/log.ts';
import { openSqliteViews } from '../../collector/stores/sqlite/views/views.ts';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { historyKillSuite } from './history/kills.ts';
import { historySuite } from './history.ts';

const directory = temporaryDirectory();
let stores = 0;

historySuite('sqlite', async () => {
  const path = newStore();
  return { log: openSqliteLog({ path }), views: openSqliteViews({ path }) };
});

historyKillSuite('sqlite', { store: () => `sqlite:${newStore()}`, kills: 8, killAfterMsMax: 700 });

function newStore(): string {
  stores += 1;
  return join(directory, `${stores}.db`);
}
