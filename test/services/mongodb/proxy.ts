/**
 * A bad network between a client and a MongoDB server: slow, cut, or losing answers after the
 * server has executed the command.
 */
import { type FaultProxy, startFaultProxy } from '../../support/fault-proxy.ts';

export interface BadNetwork extends Pick<FaultProxy, 'slow' | 'cut' | 'hang' | 'resume' | 'close'> {
  /** The server's address, with this proxy's in its place. */
  uri(server: string): string;
  /**
   * Lets the server execute the next such command, but drops its answer and breaks the connection.
   * Resolves then.
   */
  loseAnswerTo(
    command: 'insert' | 'update' | 'find' | 'findAndModify',
    collection: string,
  ): Promise<void>;
}

export async function startProxy(server: string): Promise<BadNetwork> {
  const { hostname, port } = new URL(server.replace(/^mongodb/, 'http'));
  const { loseAnswerTo, ...proxy } = await startFaultProxy({ host: hostname, port: Number(port) });
  return {
    ...proxy,
    uri: (uri) => uri.replace(/\/\/[^/]+/, `//127.0.0.1:${proxy.port}`),
    loseAnswerTo(command, collection) {
      const text = commandBytes(command, collection);
      return loseAnswerTo((chunk) => chunk.includes(text));
    },
  };
}

/**
 * The beginning of such a command in BSON: a string element with the command's name, and the
 * collection's as its value.
 */
function commandBytes(command: string, collection: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32LE(Buffer.byteLength(collection) + 1);
  return Buffer.concat([Buffer.from(`\u0002${command}\0`), length, Buffer.from(`${collection}\0`)]);
}
