import { join } from 'node:path';
import { openSqliteViews } from '../../collector/views/sqlite.ts';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { viewsSuite } from './views.ts';

const directory = temporaryDirectory();
let stores = 0;

viewsSuite('sqlite', async () => {
  stores += 1;
  const path = join(directory, `${stores}.db`);
  const module = new URL('../../collector/views/sqlite.ts', import.meta.url).href;
  return {
    views: openSqliteViews({ path }),
    reopen: async () => openSqliteViews({ path }),
    opener: { module, name: 'openSqliteViews', argument: { path } },
  };
});
