import { laneDatabases } from '../services/mongodb/databases.ts';
import { auditsSuite } from './audits.ts';
import { openMongodbCells } from './cells/open-mongodb.ts';

const databases = laneDatabases();

auditsSuite('mongodb', (count) => openMongodbCells(databases.uri(), count), { cells: 2, runs: 4 });
