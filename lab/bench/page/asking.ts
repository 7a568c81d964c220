/** Asks a collector as a browser does: one connection that stays open, compressed answers. */
import { Agent, request } from 'node:http';

interface Taken {
  readonly ms: number;
  /** Of the body, as it was sent. */
  readonly bytes: number;
  /** 400: more than the collector answers. */
  readonly status: 200 | 400;
}

export interface Asking {
  /** Until the whole answer is here. Rejects for other statuses. */
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
              const { statusCode: status } = answer;
              const ms = performance.now() - startedMs;
              if (status === 200 || status === 400) resolve({ ms, bytes, status });
              else reject(new Error(`${path}: ${status}`));
            });
          },
        );
        sent.once('error', reject).end();
      }),
    close: () => agent.destroy(),
  };
}
