/**
 * TCP ports of the loopback interface for servers that must return to the same address after a
 * kill.
 */
import { createServer } from 'node:net';

/**
 * Below the range from which Linux assigns local ports of outgoing connections: one of those could
 * block the port at the restart.
 */
const [lowest, highest] = [20_000, 32_000];
const attemptsMax = 50;

/** Free when called. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port between ${lowest} and ${highest}`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
