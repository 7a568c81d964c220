import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { databaseNameDefault } from '../../collector/stores/mongodb/address.ts';
import {
  connectMongodb,
  type MongodbConnection,
  type MongodbConnectionOptions,
} from '../../collector/stores/mongodb/connection.ts';
import { laneDatabases } from '../services/mongodb/databases.ts';
import { startProxy } from '../services/mongodb/proxy.ts';

const databases = laneDatabases();
const opened: MongodbConnection[] = [];

afterEach(async () => {
  for (const connection of opened.splice(0)) await connection.close();
});

async function connect(
  uri: string,
  limits: Partial<MongodbConnectionOptions> = {},
): Promise<MongodbConnection> {
  const connection = await connectMongodb({ uri, ...limits });
  opened.push(connection);
  return connection;
}

describe('the connection to MongoDB', () => {
  it('opens the database that the address names, and ours where it names none', async () => {
    const uri = databases.uri();
    expect((await connect(uri)).database.databaseName).toBe(new URL(uri).pathname.slice(1));
    expect((await connect(inject('mongodb')?.uri ?? '')).database.databaseName).toBe(
      databaseNameDefault,
    );
  });

  it('says that no server answers, without the password', async () => {
    const failure = await connectMongodb({
      uri: 'mongodb://user:secret@127.0.0.1:1/?directConnection=true',
    }).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'store_unreachable',
      message: expect.stringContaining('does not answer: nothing listens there. Start it'),
    });
    expect(String(failure)).not.toContain('secret');
  });

  it('says that the server refuses the user, without the password', async () => {
    const uri = databases.uri().replace('//', '//nobody:secret@');
    const failure = await connectMongodb({ uri }).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'store_unreachable',
      message: expect.stringContaining('refuses the login'),
    });
    expect(String(failure)).not.toContain('secret');
  });

  it.each([
    'mongodb://user:secret@127.0.0.1:1/?frobnicate=1',
    'mongodb://user:sec@ret/:?@127.0.0.1:1/ledger',
    'mongodb://user:secret@127.0.0.1:secret/ledger',
    'mongodb://user:secret@/ledger',
    'mongodb+srv://user:secret@127.0.0.1:1/ledger',
    'mongodb://user:secret@127.0.0.1:1/?w=nobody&tls=perhaps',
  ])('says what is wrong with %s, without the password', async (uri) => {
    const failure = await connectMongodb({ uri }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'config_invalid', exitCode: 2 });
    expect(inspect(failure)).not.toMatch(/secret|sec@ret/);
  });

  it('reads what a majority has, whatever the address says', async () => {
    const uri = new URL(databases.uri());
    uri.searchParams.set('readConcernLevel', 'local');
    expect((await connect(uri.href)).database.readConcern).toMatchObject({ level: 'majority' });
  });

  it('reconnects after a heartbeat that never ends, keeping the collections in use', async () => {
    const network = await startProxy(inject('mongodb')?.uri ?? '');
    const { database } = await connect(network.uri(databases.uri()), { connectMsMax: 5_000 });
    const things = database.collection<{ n: number }>('things');
    await things.insertOne({ n: 1 });
    await askForHeartbeatTooLate(database.client);
    network.cut();
    await expect
      .poll(() => things.insertOne({ n: 2 }).then(() => 'inserted', String))
      .toBe('inserted');
    expect(await things.find().toArray()).toMatchObject([{ n: 1 }, { n: 2 }]);
    await network.close();
  });

  it('rejects a command written to a destroyed socket, and answers the next ones', async () => {
    const { database } = await connect(databases.uri(), { operationMsMax: 5_000 });
    const things = database.collection<{ n: number }>('things');
    await things.insertOne({ n: 1 });
    destroySockets(database.client);
    await expect(things.insertOne({ n: 2 })).rejects.toThrow('no answer');
    await expect
      .poll(() => things.insertOne({ n: 3 }).then(() => 'inserted', String))
      .toBe('inserted');
    expect((await things.find({}, { sort: { n: 1 } }).toArray()).map(({ n }) => n)).toEqual([1, 3]);
  });

  it('reads more than a batch, as an array and one by one, and closes cursors', async () => {
    const { database } = await connect(databases.uri());
    const things = database.collection<{ _id: number }>('things');
    const all = Array.from({ length: 2_500 }, (_, index) => ({ _id: index }));
    await things.insertMany(all);
    const cursor = () => things.find({ _id: { $gte: 0 } }, { batchSize: 1_000 }).sort({ _id: 1 });
    expect(await cursor().toArray()).toEqual(all);
    const found = [];
    for await (const each of cursor()) found.push(each);
    expect(found).toEqual(all);
    const left = cursor();
    for await (const { _id } of left) if (_id === 1_200) break;
    expect(left.closed).toBe(true);
    await expect(things.insertOne({ _id: 1 })).rejects.toMatchObject({ code: 11_000 });
  });
});

interface DriverServer {
  readonly monitor: { readonly connection: { readonly socket: Socket } };
  readonly pool: { readonly connections: Iterable<{ readonly socket: Socket }> };
  requestCheck(): void;
}

/**
 * What a killed server does to sockets at the worst moment: they are destroyed, and their `close`
 * event is still to come. Reaches into the driver, since there is no other way.
 */
function destroySockets(client: object): void {
  for (const { pool } of serversOf(client))
    for (const { socket } of pool.connections) socket.destroy();
}

/**
 * The same for a monitor's socket, while an operation requests a heartbeat; half a second after the
 * previous one, as in the driver.
 */
async function askForHeartbeatTooLate(client: object): Promise<void> {
  await sleep(600);
  for (const server of serversOf(client)) {
    server.monitor.connection.socket.destroy();
    server.requestCheck();
  }
}

function serversOf(client: object): Iterable<DriverServer> {
  return (
    client as { topology: { s: { servers: Map<string, DriverServer> } } }
  ).topology.s.servers.values();
}
