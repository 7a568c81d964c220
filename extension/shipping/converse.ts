/**
 * One HTTP request and its size-limited response. Redirects are not followed: the target has not
 * proved its identity.
 *
 * Every socket and timer is unref'd: a pending request never keeps the host alive.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Retry } from './send-result.ts';

export interface ConverseAnswered {
  readonly state: 'answered';
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: string;
  /** The remote end of the connection. */
  readonly ip: string | undefined;
  readonly port: number | undefined;
}

export type ConverseReply =
  | ConverseAnswered
  | { readonly state: 'failed'; readonly cause: Retry['cause']; readonly reason: string };

/** Room for an answer that rejects every event of a batch; larger ones are not read. */
const answerBytesMax = 4 * 1024 * 1024;

/**
 * Contract: never rejects; settles within `timeoutMs`, counted from the call to the last byte of
 * the answer. With `mayUse`, nothing is sent over a connection that it refuses.
 */
export function converse(
  request: ClientRequest,
  body: Buffer | null,
  timeoutMs: number,
  mayUse: (request: ClientRequest) => boolean = () => true,
): Promise<ConverseReply> {
  return new Promise((resolve) => {
    const settle = (reply: ConverseReply) => {
      clearTimeout(timer);
      if (reply.state === 'failed') request.destroy();
      resolve(reply); // only the first call counts
    };
    const timer = setTimeout(
      () => settle({ state: 'failed', cause: 'timeout', reason: 'no answer in time' }),
      Math.max(0, timeoutMs),
    );
    timer.unref();
    const fail = (error: Error) =>
      settle({ state: 'failed', cause: 'network', reason: errorReason(error) });
    request.on('error', fail);
    request.on('socket', (socket) => {
      socket.unref();
      // Before anything is written: headers wait for the socket, too.
      if (!mayUse(request))
        settle({ state: 'failed', cause: 'network', reason: 'the connection was not kept open' });
    });
    request.on('response', (response) => {
      const { remoteAddress: ip, remotePort: port } = response.socket;
      readAnswer(response).then(({ body: text, isWhole }) => {
        if (!isWhole)
          return settle({ state: 'failed', cause: 'stranger', reason: 'the answer is too long' });
        const { statusCode: status = 0, headers } = response;
        settle({
          state: 'answered',
          status,
          retryAfter: headers['retry-after'],
          body: text,
          ip,
          port,
        });
      }, fail);
    });
    request.end(body ?? undefined);
  });
}

export function errorReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}

async function readAnswer(
  response: IncomingMessage,
): Promise<{ readonly body: string; readonly isWhole: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > answerBytesMax) return { body: '', isWhole: false };
    chunks.push(chunk);
  }
  return { body: Buffer.concat(chunks).toString('utf8'), isWhole: true };
}
