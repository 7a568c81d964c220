/** Joins a client and the server: bytes pass in order, or meet with what was asked for. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { keep, remember } from './delivery.ts';
import { hold, type Link, type Network } from './network.ts';
import { meetWeather } from './weather.ts';

const hangPollMs = 10;

export function join(client: Socket, upstream: Socket, network: Network): void {
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

function beginRequest(link: Link, network: Network): void {
  link.hasRequest = true;
  link.isAwaiting = true;
  network.counts.requests += 1;
  for (const heard of network.listeners) heard();
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
