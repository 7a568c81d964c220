import { MongoClient } from 'mongodb';
import { afterAll, describe, expect, it } from 'vitest';
import { checkMongodbSchema, migrateMongodb } from '../../collector/stores/mongodb/schema.ts';
import { mongodbMigrations } from '../../migrations/mongodb/registry.ts';
import { laneDatabases } from '../services/mongodb/databases.ts';
import { openStore } from './migrations/mongodb-store.ts';
import { migrationsSuite } from './migrations.ts';

const databases = laneDatabases();
const opened: { close(): Promise<void> }[] = [];

afterAll(async () => {
  await Promise.all(opened.map((each) => each.close()));
});

migrationsSuite('mongodb', async () => {
  const store = await openStore({ uri: databases.uri() });
  opened.push(store);
  return store;
});

describe('migrations: mongodb, without the lease', () => {
  it('tells a database without a store, one that is behind, one that is ahead', async () => {
    const client = await new MongoClient(databases.uri()).connect();
    opened.push(client);
    const database = client.db();
    await expect(checkMongodbSchema(database)).rejects.toMatchObject({ code: 'store_missing' });
    await migrateMongodb(database);
    await checkMongodbSchema(database);
    const later = [...mongodbMigrations, { name: '9002-more', up: () => undefined }];
    await expect(checkMongodbSchema(database, later)).rejects.toMatchObject({
      code: 'store_outdated',
      message: expect.stringContaining('9002-more'),
    });
    await migrateMongodb(database, { migrations: later });
    await expect(checkMongodbSchema(database)).rejects.toMatchObject({ code: 'store_too_new' });
  });

  it('makes nothing twice when two migrate at once', async () => {
    const uri = databases.uri();
    const stores = await Promise.all([1, 2, 3].map(() => openStore({ uri })));
    opened.push(...stores);
    await Promise.all(stores.map(({ migrate }) => migrate([])));
    expect(await stores[0]?.recorded()).toEqual(stores[0]?.own);
  });
});
