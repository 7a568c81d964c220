/**
 * Bounds how many connections are open, and for how long.
 *
 * Guarantees: idle connections never keep a new one out, and a client that does not finish its
 * headers or its body is cut off in time. At `max` connections, one that waits for nothing from us
 * is closed: first the one that has been without a request for longest, then one whose request is
 * incomplete. A connection whose answer is being made is never cut; if all are such, the new one is
 * refused.
 */
import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';

/**
 * Settings of Node's server. By default it checks its limits every 30 s and applies the shorter one
 * to the headers, which would give a body 90 s.
 */
export const connectionTimes = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
} as const;

interface Held {
  readonly socket: Socket;
  request: IncomingMessage | null;
}

export function boundConnections(server: HttpServer | HttpsServer, max: number): void {
  /**
   * In the order in which they were opened or last answered, by remote address: with TLS, requests
   * have another socket than connections.
   */
  const held = new Map<string, Held>();

  server.on('connection', (socket: Socket) => {
    const key = remoteEnd(socket);
    if (held.size >= max && !makeRoom(held)) {
      socket.destroy();
      return;
    }
    const own: Held = { socket, request: null };
    held.set(key, own);
    socket.once('close', () => {
      if (held.get(key) === own) held.delete(key);
    });
  });

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const key = remoteEnd(request.socket);
    const own = held.get(key);
    if (own === undefined) return;
    own.request = request;
    response.once('close', () => {
      if (own.request !== request || held.get(key) !== own) return;
      own.request = null;
      held.delete(key);
      held.set(key, own);
    });
  });
}

/** Returns whether there is room now. */
function makeRoom(held: Map<string, Held>): boolean {
  const found =
    oldest(held, ({ request }) => request === null) ??
    oldest(held, ({ request }) => request?.complete === false);
  if (found === null) return false;
  const [key, { socket }] = found;
  held.delete(key);
  socket.destroy();
  return true;
}

function oldest(held: Map<string, Held>, fits: (held: Held) => boolean): [string, Held] | null {
  for (const entry of held) if (fits(entry[1])) return entry;
  return null;
}

function remoteEnd({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
