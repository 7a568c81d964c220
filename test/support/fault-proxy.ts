/**
 * A bad network in front of any TCP server: slow, cut, hanging, losing answers after the server has
 * had the request, delivering a request again. It knows nothing of the protocol: what a request is,
 * its user says by a predicate.
 *
 * Contract: bytes of one direction of a connection are never reordered; nothing happens to traffic
 * unless asked for, or drawn from the dice of `weather`.
 */
import { createConnection, createServer, type Server } from 'node:net';
import type { Dice } from '../hosts/support/machine/dice.ts';
import { deliverAgain } from './fault-proxy/delivery.ts';
import { join } from './fault-proxy/link.ts';
import { type FaultCounts, type IsRequest, newNetwork } from './fault-proxy/network.ts';
import type { Weather } from './fault-proxy/weather.ts';

export interface FaultProxy {
  /** Listens here, on 127.0.0.1. */
  readonly port: number;
  /** New connections go to this port. */
  retarget(port: number): void;
  /** Delays every chunk, in both directions, in order. */
  slow(delayMs: number): void;
  /** Breaks all connections; new ones are accepted. */
  cut(): void;
  /** Blocks all traffic, keeping connections, until `resume`. */
  hang(): void;
  resume(): void;
  /**
   * Lets the server have the next such request, but drops its answer and breaks the connection.
   * Resolves then.
   */
  loseAnswerTo(isRequest: IsRequest): Promise<void>;
  /** Null: no request meets with anything by itself. */
  setWeather(weather: Weather | null): void;
  /** Requests that the server has had, and no byte of whose answer has come. */
  inFlight(): number;
  /** Called with each request when the server has had it. Returns how to stop that. */
  onRequest(listener: () => void): () => void;
  /**
   * Delivers again what a recent connection with a request sent, over a connection of its own,
   * whose answers nobody reads. False if there is none.
   */
  deliverAgain(dice: Dice): boolean;
  counts(): Readonly<FaultCounts>;
  close(): Promise<void>;
}

export interface FaultProxyOptions {
  /** Of the server, on `host`. */
  readonly port: number;
  readonly host?: string;
  /** Which chunks of a client begin a request that counts. Default: every chunk. */
  readonly isRequest?: IsRequest;
}

const everyChunk: IsRequest = () => true;

export async function startFaultProxy({
  port: target,
  host = '127.0.0.1',
  isRequest = everyChunk,
}: FaultProxyOptions): Promise<FaultProxy> {
  const network = newNetwork(isRequest);
  let upstreamPort = target;
  const listener = createServer({ allowHalfOpen: true }, (client) => {
    join(client, createConnection({ host, port: upstreamPort, allowHalfOpen: true }), network);
  });
  const port = await listening(listener);
  const cut = (): void => {
    for (const socket of network.sockets) socket.destroy();
  };
  return {
    port,
    cut,
    retarget(next) {
      upstreamPort = next;
    },
    slow(delayMs) {
      network.delayMs = delayMs;
    },
    hang() {
      network.isHanging = true;
    },
    resume() {
      network.isHanging = false;
    },
    loseAnswerTo(wanted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      network.losing = { isRequest: wanted, done: resolve };
      return promise;
    },
    setWeather(weather) {
      network.weather = weather;
    },
    inFlight: () => [...network.links].filter(({ isAwaiting }) => isAwaiting).length,
    onRequest(heard) {
      network.listeners.add(heard);
      return () => void network.listeners.delete(heard);
    },
    deliverAgain: (dice) => deliverAgain(network, dice, { host, port: upstreamPort }),
    counts: () => ({ ...network.counts }),
    async close() {
      const closed = new Promise((resolve) => listener.close(resolve));
      cut();
      await closed;
    },
  };
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
