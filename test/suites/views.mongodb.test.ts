import { laneDatabases } from '../services/mongodb/databases.ts';
import { openViewsAt } from './views/open-mongodb.ts';
import { viewsSuite } from './views.ts';

const databases = laneDatabases();

viewsSuite('mongodb', async () => {
  const argument = { uri: databases.uri() };
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
