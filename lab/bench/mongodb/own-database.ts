/** A separate database for a benchmark, dropped afterwards. */
import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { uriOf } from '../../../test/services/mongodb/databases.ts';

export async function withDatabase<Result>(
  server: string,
  work: (uri: string) => Promise<Result>,
): Promise<Result> {
  const uri = uriOf(server, `bench_${randomUUID().replaceAll('-', '')}`);
  try {
    return await work(uri);
  } finally {
    const client = await new MongoClient(uri).connect();
    await client.db().dropDatabase();
    await client.close();
  }
}
