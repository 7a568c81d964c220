import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Transport, TransportAnswer } from './transport.ts';

/** What the search needs of the collector's configuration. */
export interface WhereToAsk {
  readonly home: string;
  /** Set by the user: another machine's collector, asked whatever runs here. */
  readonly url: string | null;
  /** For that one. */
  readonly token: string | null;
}

export interface FoundCollector {
  readonly url: string;
  readonly token: string | null;
  /** The certificate that is to be found there, in PEM; null: one that this machine trusts, or plain HTTP. */
  readonly certificate: string | null;
}

const requestTimeoutMs = 30_000;
/** What is posted may have to read the whole log before the answer begins: a rebuild, a repricing. */
const workTimeoutMs = 600_000;
const probeTimeoutMs = 2_000;

/**
 * The collector to ask; null when none runs on this home. A collector leaves its address in `collector.json`, and a token for this machine's
 * commands; after a kill -9 that file is stale, so it counts only if something answers there. The token is good for that process alone.
 */
export async function findCollector({ home, url, token }: WhereToAsk): Promise<FoundCollector | null> {
  if (url !== null) {
    return { url, token, certificate: null };
  }
  const found = leftIn(join(home, 'collector.json'));
  if (found === null) {
    return null;
  }
  const probe = { method: 'GET', path: '/health/live', timeoutMs: probeTimeoutMs } as const;
  const answer = await ask({ ...found, token: null }, probe).catch(() => null);
  return answer?.status === 200 ? found : null;
}

export function httpTransport(collector: FoundCollector): Transport {
  return {
    request: (method, path, body, contentType) =>
      ask(collector, { method, path, body, contentType, timeoutMs: method === 'POST' ? workTimeoutMs : requestTimeoutMs }),
    close: async () => undefined,
  };
}

function leftIn(path: string): FoundCollector | null {
  try {
    const { url, token, certFile } = JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, unknown>>;
    if (typeof url !== 'string') return null;
    const certificate = typeof certFile === 'string' ? readFileSync(certFile, 'utf8') : null;
    return { url, token: typeof token === 'string' ? token : null, certificate };
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') {
      return null;
    }
    throw error;
  }
}

interface Question {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string | undefined;
  readonly contentType?: string | undefined;
  readonly timeoutMs: number;
}

/** It is asked by its loopback address, for which certificates are not made: this very certificate will do, and no other. */
function trustOnly(certificate: string) {
  const { X509Certificate } = process.getBuiltinModule('node:crypto');
  const { fingerprint256 } = new X509Certificate(certificate);
  return {
    ca: certificate,
    allowPartialTrustChain: true,
    checkServerIdentity: (_host: string, found: { readonly fingerprint256: string }) =>
      found.fingerprint256 === fingerprint256 ? undefined : new Error('Another certificate is found there than the collector has.'),
  };
}

/**
 * node:http rather than fetch: a report is one request. Nor by `import`: that reads every export, one of which loads fetch after all, and with it
 * 40 ms, a fifth of a report.
 */
function ask(
  { url: base, token, certificate }: FoundCollector,
  { method, path, body, contentType = 'application/json', timeoutMs }: Question,
): Promise<TransportAnswer> {
  const url = new URL(path, base);
  const isTls = url.protocol === 'https:';
  const { request } = process.getBuiltinModule(isTls ? 'node:https' : 'node:http');
  return new Promise((resolve, reject) => {
    const headers = {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': contentType }),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    };
    const trust = certificate === null ? {} : trustOnly(certificate);
    const sent = request(url, { method, headers, agent: false, timeout: timeoutMs, ...trust }, (answer) => {
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

function answerOf({ statusCode = 0, headers }: IncomingMessage, body: Buffer): TransportAnswer {
  const { 'retry-after': retryAfter = '', link } = headers;
  return {
    status: statusCode,
    body: body.toString('utf8'),
    retryAfterSeconds: /^\d{1,4}$/.test(retryAfter) ? Number(retryAfter) : null,
    link: typeof link === 'string' ? link : null,
  };
}
