import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Transport } from './transport.ts';

/** What the search needs of the collector's configuration. */
export interface WhereToAsk {
  readonly home: string;
  /** Set by the user: another machine's collector, asked whatever runs here. */
  readonly url: string | null;
}

const requestTimeoutMs = 30_000;
/** What is posted may have to read the whole log before the answer begins: a rebuild, a repricing. */
const workTimeoutMs = 600_000;
const probeTimeoutMs = 2_000;

/**
 * The address of the collector to ask; null when none runs on this home. A collector leaves its address in `collector.json`; after a kill -9 that
 * file is stale, so it counts only if something answers there.
 */
export async function findCollector(config: WhereToAsk): Promise<string | null> {
  if (config.url !== null) {
    return config.url;
  }
  const url = addressLeftIn(join(config.home, 'collector.json'));
  if (url === null) {
    return null;
  }
  const answer = await ask(url, 'GET', '/health/live', undefined, undefined, probeTimeoutMs).catch(() => null);
  return answer?.status === 200 ? url : null;
}

export function httpTransport(url: string, token: string | null): Transport {
  return {
    request: (method, path, body) => ask(url, method, path, body, token ?? undefined, method === 'POST' ? workTimeoutMs : requestTimeoutMs),
    close: async () => undefined,
  };
}

function addressLeftIn(path: string): string | null {
  try {
    const { url } = JSON.parse(readFileSync(path, 'utf8')) as { url?: unknown };
    return typeof url === 'string' ? url : null;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') {
      return null;
    }
    throw error;
  }
}

/**
 * node:http rather than fetch: a report is one request. Nor by `import`: that reads every export, one of which loads fetch after all, and with it
 * 40 ms, a fifth of a report.
 */
function ask(
  base: string,
  method: string,
  path: string,
  body: string | undefined,
  token: string | undefined,
  timeoutMs: number,
): ReturnType<Transport['request']> {
  const url = new URL(path, base);
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
  return new Promise((resolve, reject) => {
    const headers = {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const sent = request(url, { method, headers, agent: false, timeout: timeoutMs }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve(answerOf(answer, Buffer.concat(chunks))));
      answer.on('error', reject);
    });
    sent.on('timeout', () => sent.destroy(new Error(`No answer from ${base} within ${timeoutMs / 1000} s.`)));
    sent.on('error', reject);
    sent.end(body);
  });
}

function answerOf({ statusCode = 0, headers }: IncomingMessage, body: Buffer): Awaited<ReturnType<Transport['request']>> {
  return { status: statusCode, body: body.toString('utf8'), link: typeof headers.link === 'string' ? headers.link : null };
}
