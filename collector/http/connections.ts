/**
 * Who holds a connection, and for how long.
 *
 * Guarantees: whoever connects anew is let in while others hold connections that they do not use,
 * and those who neither finish their headers nor their body are cut off in time. Of `max`
 * connections the oldest one that waits for nothing from us makes room: first those without a
 * request, then those whose request is not all here. One whose answer is being made is never cut;
 * when all are such, the new one is.
 */
import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';

/**
 * Of Node's server. Its own limits are looked at every 30 s, and a request's is taken for its
 * headers' where that one is shorter: a body had 90 s.
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
   * Oldest first. By their other end: with TLS, requests come by another socket than connections.
   */
  const held = new Map<string, Held>();

  server.on('connection', (socket: Socket) => {
    const key = endOf(socket);
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
    const own = held.get(endOf(request.socket));
    if (own === undefined) return;
    own.request = request;
    response.once('close', () => {
      if (own.request === request) own.request = null;
    });
  });
}

/** Whether there is room now. */
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

function endOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
