import { randomBytes } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import type { TokenRegistry } from '../../collector/auth/tokens.ts';
import {
  connectMongodb,
  type MongodbConnection,
} from '../../collector/stores/mongodb/connection.ts';
import { migrateMongodb } from '../../collector/stores/mongodb/schema.ts';
import { openMongodbTokens } from '../../collector/stores/mongodb/tokens.ts';
import { laneDatabases } from '../services/mongodb/databases.ts';
import { tokensSuite } from './tokens.ts';

const databases = laneDatabases();
const connections: MongodbConnection[] = [];

afterEach(async () => {
  for (const connection of connections.splice(0)) await connection.close();
});

tokensSuite('mongodb', async () => {
  const uri = databases.uri();
  const openBeside = async (): Promise<TokenRegistry> => {
    const connection = await connectMongodb({ uri });
    connections.push(connection);
    await migrateMongodb(connection.database);
    return openMongodbTokens(connection.database);
  };
  return { tokens: await openBeside(), openBeside };
});

it('looks a token up by an index', async () => {
  const connection = await connectMongodb({ uri: databases.uri() });
  connections.push(connection);
  await migrateMongodb(connection.database);
  const documents = Array.from({ length: 5_000 }, (_, n) => ({
    _id: `t${n}`,
    hash: randomBytes(32),
    user: 'ada',
  }));
  await connection.database.collection<{ _id: string }>('tokens').insertMany(documents);
  const command = { find: 'tokens', filter: { hash: randomBytes(32) } };
  const plan = JSON.stringify(
    await connection.database.command({ explain: command, verbosity: 'queryPlanner' }),
  );
  expect(plan).toMatch(/"(indexName|Index Name)":"hash"/);
  expect(plan).not.toMatch(/COLLSCAN|Seq Scan/);
});
