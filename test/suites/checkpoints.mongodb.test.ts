import { afterEach } from 'vitest';
import type { Checkpoints } from '../../collector/log/checkpoints.ts';
import { openMongodbCheckpoints } from '../../collector/stores/mongodb/checkpoints.ts';
import {
  connectMongodb,
  type MongodbConnection,
} from '../../collector/stores/mongodb/connection.ts';
import { migrateMongodb } from '../../collector/stores/mongodb/schema.ts';
import { laneDatabases } from '../services/mongodb/databases.ts';
import { checkpointsSuite } from './checkpoints.ts';

const databases = laneDatabases();
const connections: MongodbConnection[] = [];

afterEach(async () => {
  for (const connection of connections.splice(0)) await connection.close();
});

checkpointsSuite('mongodb', async () => {
  const uri = databases.uri();
  const openBeside = async (): Promise<Checkpoints> => {
    const connection = await connectMongodb({ uri });
    connections.push(connection);
    await migrateMongodb(connection.database);
    return openMongodbCheckpoints(connection.database);
  };
  return { checkpoints: await openBeside(), openBeside };
});
