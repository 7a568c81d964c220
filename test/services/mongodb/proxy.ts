/**
 * A bad network between a client and a MongoDB server: slow, cut, or losing answers after the
 * server has executed the command.
 */
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface BadNetwork {
  /** The server's address, with this proxy's in its place. */
  uri(server: string): string;
  /** Delays every chunk, in both directions, in order. */
  slow(delayMs: number): void;
  /** Breaks all connections; new ones are accepted. */
  cut(): void;
  /** Blocks all traffic, keeping connections, until `resume`. */
  hang(): void;
  resume(): void;
  /**
   * Lets the server execute the next such command, but drops its answer and breaks the connection.
   * Resolves then.
   */
  loseAnswerTo(
    command: 'insert' | 'update' | 'find' | 'findAndModify',
    collection: string,
  ): Promise<void>;
  close(): Promise<void>;
}

export async function startProxy(server: string): Promise<BadNetwork> {
  const target = new URL(server.replace(/^mongodb/, 'http'));
  const network: Network = { delayMs: 0, isHanging: false, losing: null };
  const sockets = new Set<Socket>();
  const listener = createServer((client) => {
    const upstream = createConnection({ host: target.hostname, port: Number(target.port) });
    join(client, upstream, network);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    }
  });
  const port = await listening(listener);
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };

  return {
    uri: (uri) => uri.replace(/\/\/[^/]+/, `//127.0.0.1:${port}`),
    slow(delayMs) {
      network.delayMs = delayMs;
    },
    cut,
    hang() {
      network.isHanging = true;
    },
    resume() {
      network.isHanging = false;
    },
    loseAnswerTo(command, collection) {
      const { promise, resolve } = Promise.withResolvers<void>();
      network.losing = { text: commandBytes(command, collection), done: resolve };
      return promise;
    },
    async close() {
      const closed = new Promise((resolve) => listener.close(resolve));
      cut();
      await closed;
    },
  };
}

interface Network {
  delayMs: number;
  isHanging: boolean;
  losing: { readonly text: Buffer; done(): void } | null;
}

const hangPollMs = 10;

function join(client: Socket, upstream: Socket, network: Network): void {
  let loseAnswer: (() => void) | null = null;
  const end = (): void => {
    client.destroy();
    upstream.destroy();
  };
  const pass = async (chunk: Buffer, to: Socket): Promise<void> => {
    if (network.delayMs > 0) await sleep(network.delayMs);
    while (network.isHanging && !to.destroyed) await sleep(hangPollMs);
    if (!to.destroyed) to.write(chunk);
  };
  inOrder(client, async (chunk) => {
    if (network.losing !== null && chunk.includes(network.losing.text)) {
      loseAnswer = network.losing.done;
      network.losing = null;
    }
    await pass(chunk, upstream);
  });
  inOrder(upstream, async (chunk) => {
    if (loseAnswer === null) return pass(chunk, client);
    end();
    loseAnswer();
  });
  for (const socket of [client, upstream]) socket.on('error', end).on('close', end);
}

function inOrder(from: Socket, handle: (chunk: Buffer) => Promise<void>): void {
  let last = Promise.resolve();
  from.on('data', (chunk: Buffer) => {
    last = last.then(() => handle(chunk));
  });
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

function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}
