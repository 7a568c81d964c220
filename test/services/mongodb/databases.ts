/** Separate databases for a test file on the lane's server, dropped after its tests. */
import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { afterAll, inject } from 'vitest';

export interface LaneDatabases {
  /** The address with a new database name. */
  uri(): string;
}

/**
 * To be called at the top level of a test file. Throws if the lane has no server: its tests then
 * fail instead of being skipped.
 */
export function laneDatabases(): LaneDatabases {
  const lane = inject('mongodb');
  if (lane === null) throw new Error(inject('laneServer'));
  const names: string[] = [];
  afterAll(async () => {
    const client = await new MongoClient(lane.uri).connect();
    for (const name of names) await client.db(name).dropDatabase();
    await client.close();
  });
  return {
    uri() {
      const name = `test_${randomUUID().replaceAll('-', '')}`;
      names.push(name);
      return uriOf(lane.uri, name);
    },
  };
}

/** The same server, another database. */
export function uriOf(server: string, database: string): string {
  return server.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]+)\/?[^?]*/, `$1/${database}`);
}
