/** OTLP/HTTP with Protobuf: https://opentelemetry.io/docs/specs/otlp/#otlphttp */

import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { errorText } from '@pi-ledger/core/text/error-text';
import { shownEndpoint } from './endpoint.ts';
import { failureText } from './failure-text.ts';
import { readStatus } from './protobuf.ts';
import type { OtlpSettings } from './settings.ts';
import type { Answer, Fault, OtlpTransport } from './transport.ts';

/** As the specification recommends. */
const answerBytesMax = 4 * 1024 * 1024;

export async function createHttpTransport(settings: OtlpSettings): Promise<OtlpTransport> {
  const { url, tls, timeoutMs, compression } = settings;
  const isSecure = url.protocol === 'https:';
  const { Agent, request } = isSecure ? await import('node:https') : await import('node:http');
  const agent = new Agent({
    keepAlive: true,
    ...Object.fromEntries(Object.entries(tls).filter(([, pem]) => isSecure && pem !== null)),
  });
  const headers = {
    'user-agent': 'OTel-OTLP-Exporter-pi-ledger',
    ...Object.fromEntries(settings.headers),
    'content-type': 'application/x-protobuf',
    ...(compression === 'gzip' ? { 'content-encoding': 'gzip' } : {}),
  };

  function exchange(body: Uint8Array, signal: AbortSignal): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const length = { 'content-length': body.length };
      const options = { method: 'POST', agent, signal, headers: { ...headers, ...length } };
      request(url, options, resolve).on('error', reject).end(body);
    });
  }

  return {
    async post(body, signal) {
      const deadline = AbortSignal.timeout(timeoutMs);
      const ending = AbortSignal.any([signal, deadline]);
      try {
        const sent = compression === 'gzip' ? await promisify(gzip)(body) : body;
        const response = await exchange(sent, ending);
        return toAnswer(settings, response, await readAll(response));
      } catch (error) {
        signal.throwIfAborted();
        return failed(settings, 'passing', {
          text: deadline.aborted ? `no answer within ${timeoutMs} ms` : readCause(error),
        });
      }
    },
    close: () => agent.destroy(),
  };
}

async function readAll(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > answerBytesMax) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function toAnswer(
  settings: OtlpSettings,
  { statusCode: status = 0, headers }: IncomingMessage,
  body: Buffer,
): Answer {
  if (status >= 200 && status <= 299) return { is: 'taken', body };
  const isProtobuf = headers['content-type']?.includes('protobuf') ?? false;
  const said = (isProtobuf ? readStatus(body)?.message : body.toString()) ?? '';
  return failed(settings, classifyStatus(status), {
    text: `HTTP ${status}${said === '' ? '' : `: ${said}`}`,
    retryAfterMs: retryAfterMs(headers['retry-after']),
  });
}

/** 429, 502, 503 and 504 are passing by the specification, other 5xx by what they mean. */
function classifyStatus(status: number): Fault {
  if (status >= 500 || status === 408 || status === 429) return 'passing';
  return batchFaults.has(status) ? 'batch' : 'endpoint';
}

const batchFaults: ReadonlySet<number> = new Set([400, 413, 422]);

/** Seconds, or a date. */
function retryAfterMs(text: string | undefined): number | null {
  if (text === undefined) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

function failed(
  { url, headers }: OtlpSettings,
  fault: Fault,
  { text, retryAfterMs = null }: { text: string; retryAfterMs?: number | null },
): Answer {
  const message = `${shownEndpoint(url)}: ${failureText(text, headers.values())}`;
  return { is: 'failed', fault, message, retryAfterMs };
}

/** Node gives the errors of several addresses one without a message. */
function readCause(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return readCause(error.errors[0]);
  return errorText(error);
}
