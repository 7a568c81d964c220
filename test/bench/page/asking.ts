/** Asks a collector as a browser does: one connection that stays open, compressed answers. */
import { Agent, request } from 'node:http';

interface Taken {
  readonly ms: number;
  /** Of the body, as it was sent. */
  readonly bytes: number;
}

export interface Asking {
  /** Until the whole answer is here. Rejects unless it is 200. */
  ask(path: string): Promise<Taken>;
  close(): void;
}

export function asking(url: string): Asking {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    ask: (path) =>
      new Promise((resolve, reject) => {
        const startedMs = performance.now();
        const sent = request(
          `${url}${path}`,
          { agent, headers: { 'accept-encoding': 'gzip' } },
          (answer) => {
            let bytes = 0;
            answer.on('data', (part: Buffer) => {
              bytes += part.length;
            });
            answer.once('error', reject).once('end', () => {
              if (answer.statusCode === 200) resolve({ ms: performance.now() - startedMs, bytes });
              else reject(new Error(`${path}: ${answer.statusCode}`));
            });
          },
        );
        sent.once('error', reject).end();
      }),
    close: () => agent.destroy(),
  };
}
