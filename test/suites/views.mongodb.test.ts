import { laneDatabases } from '../services/mongodb/databases.ts';
import { openViewsAt } from './views/open-mongodb.ts';
import { viewsSuite } from './views.ts';

const databases = laneDatabases();

viewsSuite('mongodb, a cell', async () => {
  const argument = { uri: databases.uri(), cell: 2 };
  return {
    views: await openViewsAt(argument),
    reopen: () => openViewsAt(argument),
    opener: {
      module: new URL('./views/open-mongodb.ts', import.meta.url).href,
      name: 'openViewsAt',
      argument,
    },
  };
});
