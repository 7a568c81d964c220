/**
 * A bad network in front of any TCP server: slow, cut, hanging, losing answers after the server has
 * had the request, delivering a request again. It knows nothing of the protocol: what a request is,
 * its user says by a predicate.
 *
 * Contract: bytes of one direction of a connection are never reordered; nothing happens to traffic
 * unless asked for, or drawn from the dice of `weather`.
 */
import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from '../hosts/support/machine/dice.ts';

export type IsRequest = (chunk: Buffer) => boolean;

/** What may happen to each request by itself. Chances are in [0, 1]. */
export interface Weather {
  readonly dice: Dice;
  readonly delayMsMax: number;
  /** Its connection breaks before the server has had it. */
  readonly cutChance: number;
  /** The server has it, and its answer is lost. */
  readonly loseAnswerChance: number;
}

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

interface FaultCounts {
  requests: number;
  /** The server's end of the connection closed with no byte of an answer. */
  unanswered: number;
  cut: number;
  answersLost: number;
  deliveredAgain: number;
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
    deliverAgain(dice) {
      const bytes = network.recent[dice.below(network.recent.length)];
      if (bytes === undefined) return false;
      network.counts.deliveredAgain += 1;
      const socket = createConnection({ host, port: upstreamPort });
      hold(socket, network);
      socket.on('error', () => socket.destroy()).resume();
      // Not ended by us: a server takes that for a client that is gone.
      socket.setTimeout(replayMsMax, () => socket.destroy());
      socket.write(bytes);
      return true;
    },
    counts: () => ({ ...network.counts }),
    async close() {
      const closed = new Promise((resolve) => listener.close(resolve));
      cut();
      await closed;
    },
  };
}

interface Network {
  readonly isRequest: IsRequest;
  readonly sockets: Set<Socket>;
  readonly links: Set<Link>;
  readonly listeners: Set<() => void>;
  /** What the newest connections sent whole. */
  readonly recent: Buffer[];
  readonly counts: FaultCounts;
  delayMs: number;
  isHanging: boolean;
  losing: { readonly isRequest: IsRequest; done(): void } | null;
  weather: Weather | null;
}

/** One connection, both halves. */
interface Link {
  readonly sent: Buffer[];
  sentBytes: number;
  hasRequest: boolean;
  isAwaiting: boolean;
  /** Called instead of passing the answer on. */
  loseAnswer: (() => void) | null;
  end(): void;
}

function newNetwork(isRequest: IsRequest): Network {
  return {
    isRequest,
    sockets: new Set(),
    links: new Set(),
    listeners: new Set(),
    recent: [],
    counts: { requests: 0, unanswered: 0, cut: 0, answersLost: 0, deliveredAgain: 0 },
    delayMs: 0,
    isHanging: false,
    losing: null,
    weather: null,
  };
}

const hangPollMs = 10;
const replayMsMax = 5_000;
/** Kept to be delivered again. */
const recentMax = 16;
const sentBytesMax = 1024 * 1024;

function join(client: Socket, upstream: Socket, network: Network): void {
  const link: Link = {
    sent: [],
    sentBytes: 0,
    hasRequest: false,
    isAwaiting: false,
    loseAnswer: null,
    end() {
      client.destroy();
      upstream.destroy();
    },
  };
  network.links.add(link);
  inOrder(client, upstream, (chunk) => passRequest(link, network, chunk, upstream));
  inOrder(upstream, client, (chunk) => passAnswer(link, network, chunk, client));
  client.on('close', () => keep(link, network));
  upstream.on('close', () => {
    network.links.delete(link);
    if (link.isAwaiting) network.counts.unanswered += 1;
  });
  for (const socket of [client, upstream]) {
    hold(socket, network);
    socket.on('error', () => link.end());
  }
}

async function passRequest(
  link: Link,
  network: Network,
  chunk: Buffer,
  upstream: Socket,
): Promise<void> {
  const isRequest = network.isRequest(chunk);
  await meetWeather(link, network, isRequest);
  if (!(await isConnected(upstream))) return;
  if (network.losing?.isRequest(chunk) === true) {
    link.loseAnswer = network.losing.done;
    network.losing = null;
  }
  remember(link, chunk);
  await pass(chunk, upstream, network);
  if (isRequest && !upstream.destroyed) beginRequest(link, network);
}

/** A server that is not there has had nothing. */
async function isConnected(upstream: Socket): Promise<boolean> {
  if (upstream.connecting)
    await Promise.race([once(upstream, 'connect'), once(upstream, 'close')]).catch(() => undefined);
  return !upstream.destroyed;
}

async function passAnswer(
  link: Link,
  network: Network,
  chunk: Buffer,
  client: Socket,
): Promise<void> {
  link.isAwaiting = false;
  if (link.loseAnswer === null) return pass(chunk, client, network);
  network.counts.answersLost += 1;
  link.end();
  link.loseAnswer();
}

async function pass(chunk: Buffer, to: Socket, network: Network): Promise<void> {
  if (network.delayMs > 0) await sleep(network.delayMs);
  while (network.isHanging && !to.destroyed) await sleep(hangPollMs);
  if (!to.destroyed) to.write(chunk);
}

async function meetWeather(link: Link, network: Network, isRequest: boolean): Promise<void> {
  const { weather } = network;
  if (weather === null || !isRequest) return;
  const { dice, delayMsMax, cutChance, loseAnswerChance } = weather;
  // All are drawn each time, so that one setting does not move the draws of the others.
  const delayMs = dice.below(delayMsMax + 1);
  const [isCut, isLost] = [dice.chance(cutChance), dice.chance(loseAnswerChance)];
  await sleep(delayMs);
  if (isCut) {
    network.counts.cut += 1;
    link.end();
  } else if (isLost) link.loseAnswer = () => undefined;
}

function beginRequest(link: Link, network: Network): void {
  link.hasRequest = true;
  link.isAwaiting = true;
  network.counts.requests += 1;
  for (const heard of network.listeners) heard();
}

function remember(link: Link, chunk: Buffer): void {
  link.sentBytes += chunk.length;
  if (link.sentBytes <= sentBytesMax) link.sent.push(chunk);
}

function keep(link: Link, { recent }: Network): void {
  if (!link.hasRequest || link.sentBytes > sentBytesMax) return;
  recent.push(Buffer.concat(link.sent));
  if (recent.length > recentMax) recent.shift();
}

function hold(socket: Socket, { sockets }: Network): void {
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket));
}

/** An end is passed on like a chunk, after all chunks. */
function inOrder(from: Socket, to: Socket, handle: (chunk: Buffer) => Promise<void>): void {
  let last = Promise.resolve();
  from.on('data', (chunk: Buffer) => {
    last = last.then(() => handle(chunk));
  });
  from.on('end', () => {
    last = last.then(() => void to.end());
  });
  from.on('close', () => {
    last = last.then(() => void to.end());
  });
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
