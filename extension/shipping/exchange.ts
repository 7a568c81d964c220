/**
 * The HTTP side of the transport, for one batch: the listener proves that it is the collector, then
 * receives the batch over the same connection (connection.ts), and its answer is evaluated.
 */
import { gzip } from 'node:zlib';
import { parseAck } from '../../core/proof/ack.ts';
import { busy, type CollectorConnectionOptions, failure, isBusy, onProven } from './connection.ts';
import { type ConverseReply, converse } from './converse.ts';
import type { SendResult } from './send-result.ts';

/** Contract: never rejects. `lines` are the JSON texts of a batch. */
export function exchange(
  lines: readonly string[],
  options: CollectorConnectionOptions,
): Promise<SendResult> {
  return onProven(options, async (connection, leftMs): Promise<SendResult> => {
    const body = await compress(`[${lines.join(',')}]`);
    const headers = requestHeaders(options.token, body.length);
    const request = connection.request('/v1/events', 'POST', headers);
    const reply = await converse(request, body, leftMs(), connection.isProven);
    return judgeReply(reply, lines.length, options);
  });
}

/** An invalid token makes the request throw. */
function requestHeaders(token: string | null, bodyBytes: number): Record<string, string | number> {
  return {
    'content-type': 'application/cloudevents-batch+json',
    'content-encoding': 'gzip',
    'content-length': bodyBytes,
    accept: 'application/json',
    connection: 'close',
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  };
}

function compress(text: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    gzip(text, (error, body) => (error === null ? resolve(body) : reject(error)));
  });
}

function judgeReply(
  reply: ConverseReply,
  sent: number,
  options: CollectorConnectionOptions,
): SendResult {
  if (reply.state === 'failed') return failure(reply, options);
  const { status } = reply;
  if (status === 200) return judgeAck(reply.body, sent);
  if (status === 401 || status === 403) return { state: 'unauthorized', status };
  if (isBusy(status)) return busy(reply, options);
  if (status >= 400) return { state: 'refused', status };
  return { state: 'retry', cause: 'stranger', reason: `status ${status}` };
}

/** A 200 without an ack does not come from a collector, and must not cause removal. */
function judgeAck(body: string, sent: number): SendResult {
  const ack = parseAck(body, sent);
  return ack === null
    ? { state: 'retry', cause: 'stranger', reason: 'the answer is not an ack of what was sent' }
    : { state: 'acked', ack };
}
