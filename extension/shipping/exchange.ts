/** The HTTP side of the transport: one request, one bounded answer, and what the answer means. */
import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { gzip } from 'node:zlib';
import { parseAck } from './ack.ts';
import { parseRetryAfterMs } from './retry-after.ts';
import type { Retry, SendResult } from './send-result.ts';

export interface ExchangeOptions {
  /** Of the collector, with or without a path in front of `/v1`. A bad one makes every result `retry`. */
  readonly url: string;
  readonly token: string | null;
  readonly nowMs: () => number;
  readonly timeoutMs: number;
}

/** Contract: never rejects. `body` is the JSON text of a batch. */
export async function exchange(body: string, options: ExchangeOptions): Promise<SendResult> {
  try {
    const compressed = await compress(body);
    return judgeReply(await converse(openRequest(options, compressed.length), compressed, options.timeoutMs), options.nowMs());
  } catch (error) {
    return { state: 'retry', cause: 'local', reason: reasonOf(error) };
  }
}

/** Room for an answer that rejects every event of a batch; a larger one is not read. */
const answerBytesMax = 4 * 1024 * 1024;

function compress(text: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    gzip(text, (error, body) => (error === null ? resolve(body) : reject(error)));
  });
}

/** Throws on a bad URL or token. */
function openRequest({ url, token }: ExchangeOptions, bodyBytes: number): ClientRequest {
  const target = new URL(url);
  target.pathname = `${target.pathname.replace(/\/+$/, '')}/v1/events`;
  const { request } = target.protocol === 'https:' ? https : http;
  return request(target, {
    method: 'POST',
    agent: false,
    headers: {
      'content-type': 'application/cloudevents-batch+json',
      'content-encoding': 'gzip',
      'content-length': bodyBytes,
      accept: 'application/json',
      connection: 'close',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
  });
}

type Reply =
  | { readonly state: 'answered'; readonly status: number; readonly retryAfter: string | undefined; readonly body: string }
  | { readonly state: 'failed'; readonly cause: Retry['cause']; readonly reason: string };

/** Contract: never rejects; settles after `timeoutMs` at the latest, counted from here to the last byte of the answer. */
function converse(request: ClientRequest, body: Buffer, timeoutMs: number): Promise<Reply> {
  return new Promise((resolve) => {
    const settle = (reply: Reply) => {
      clearTimeout(timer);
      request.destroy();
      resolve(reply); // the first one counts
    };
    const timer = setTimeout(() => settle({ state: 'failed', cause: 'timeout', reason: `no answer within ${timeoutMs} ms` }), timeoutMs);
    timer.unref();
    const fail = (error: Error) => settle({ state: 'failed', cause: 'network', reason: reasonOf(error) });
    request.on('socket', (socket) => socket.unref());
    request.on('error', fail);
    request.on('response', (response) => {
      readAnswer(response).then(settle, fail);
    });
    request.end(body);
  });
}

async function readAnswer(response: IncomingMessage): Promise<Reply> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > answerBytesMax) return { state: 'failed', cause: 'stranger', reason: 'the answer is too long' };
    chunks.push(chunk);
  }
  const retryAfter = response.headers['retry-after'];
  return { state: 'answered', status: response.statusCode ?? 0, retryAfter, body: Buffer.concat(chunks).toString('utf8') };
}

function judgeReply(reply: Reply, nowMs: number): SendResult {
  if (reply.state === 'failed') return { state: 'retry', cause: reply.cause, reason: reply.reason };
  const { status } = reply;
  if (status === 200) return judgeAck(reply.body);
  if (status === 401 || status === 403) return { state: 'unauthorized', status };
  const isBusy = status >= 500 || busyStatuses.has(status);
  if (status >= 400 && !isBusy) return { state: 'refused', status };
  const retryAfterMs = parseRetryAfterMs(reply.retryAfter, nowMs);
  const patience = retryAfterMs === null ? {} : { retryAfterMs };
  return { state: 'retry', cause: isBusy ? 'busy' : 'stranger', reason: `status ${status}`, ...patience };
}

/** 4xx that speak of the moment, not of the body: request timeout, too early, too many requests. */
const busyStatuses = new Set([408, 425, 429]);

/** What answers 200 without an ack is no collector, and nothing may be removed on its word. */
function judgeAck(body: string): SendResult {
  const ack = parseAck(body);
  return ack === null ? { state: 'retry', cause: 'stranger', reason: 'the answer is not an ack' } : { state: 'acked', ack };
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}
