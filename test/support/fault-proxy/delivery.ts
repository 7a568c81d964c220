/** Remembers what connections sent, and delivers it again. */
import { createConnection } from 'node:net';
import type { Dice } from '../../hosts/support/machine/dice.ts';
import { hold, type Link, type Network } from './network.ts';

/** Kept to be delivered again. */
const recentMax = 16;
const sentBytesMax = 1024 * 1024;
const replayMsMax = 5_000;

export function remember(link: Link, chunk: Buffer): void {
  link.sentBytes += chunk.length;
  if (link.sentBytes <= sentBytesMax) link.sent.push(chunk);
}

/** A connection has ended. */
export function keep(link: Link, { recent }: Network): void {
  if (!link.hasRequest || link.sentBytes > sentBytesMax) return;
  recent.push(Buffer.concat(link.sent));
  if (recent.length > recentMax) recent.shift();
}

/** False if there is nothing to deliver. */
export function deliverAgain(
  network: Network,
  dice: Dice,
  server: { readonly host: string; readonly port: number },
): boolean {
  const bytes = network.recent[dice.below(network.recent.length)];
  if (bytes === undefined) return false;
  network.counts.deliveredAgain += 1;
  const socket = createConnection(server);
  hold(socket, network);
  socket.on('error', () => socket.destroy()).resume();
  // Not ended by us: a server takes that for a client that is gone.
  socket.setTimeout(replayMsMax, () => socket.destroy());
  socket.write(bytes);
  return true;
}
