/**
 * A MongoDB-compatible server of the world's own, and a bad network before it for each program, so
 * that the writes of each can be told apart.
 */
import { uriOf } from '../../../test/services/mongodb/databases.ts';
import { type LocalServer, startLocalServer } from '../../../test/services/mongodb/local-server.ts';
import type { IsRequest } from '../../../test/support/fault-proxy/network.ts';
import { type FaultProxy, startFaultProxy } from '../../../test/support/fault-proxy.ts';
import type { Victim } from './world.ts';

/**
 * Of programs on a database. No benchmark has a bound for them; one of 500 MB was passed by 17 MB
 * (docs/faults.md), so this one catches what grows without end only.
 */
export const residentBytesMax = 800e6;

export interface Database {
  readonly server: LocalServer;
  /** Without a bad network. */
  readonly uri: string;
  connect(): Promise<{ readonly uri: string; readonly door: FaultProxy }>;
  readonly doors: readonly FaultProxy[];
  stop(): Promise<void>;
}

/** Documents of the log and of commits are inserted. In BSON: a string element of this name. */
const isInsert: IsRequest = (chunk) => chunk.includes(insertElement);
const insertElement = Buffer.from('\u0002insert\0');

export async function openDatabase(): Promise<Database> {
  const server = await startLocalServer(process.env);
  const uri = uriOf(server.uri, 'faults');
  const { port } = new URL(server.uri.replace(/^mongodb/, 'http'));
  const doors: FaultProxy[] = [];
  return {
    ...{ server, uri, doors },
    async connect() {
      const door = await startFaultProxy({ port: Number(port), isRequest: isInsert });
      doors.push(door);
      return { door, uri: uri.replace(/\/\/[^/]+/, `//127.0.0.1:${door.port}`) };
    },
    async stop() {
      await Promise.all(doors.map((door) => door.close()));
      await server.stop();
    },
  };
}

export function databaseVictim(
  { server, doors }: Database,
  part: 'gateway' | 'database',
  weight: number,
): Victim {
  return {
    // Its gateway answers with an error when the database is gone.
    ...{ kind: 'database', weight, doors, answers: part === 'gateway' },
    async kill() {
      const writes = doors.reduce((sum, door) => sum + door.inFlight(), 0);
      await server.kill(part);
      return writes;
    },
    restart: () => server.restart(part),
    pause: () => server.pause(part),
    resume: () => server.resume(part),
  };
}
