/**
 * Answers what never becomes a request: text that is not HTTP, headers that are too long, requests
 * that take too long. As every error: `{code, message}`, with the headers of all answers.
 *
 * Guarantee: the answer is written only where it can be taken for nobody else's. Behind requests
 * whose answers are still to come, or in the middle of one, the connection just ends.
 */
import { type Server as HttpServer, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { ErrorAnswer } from '@pi-ledger/contract/answers';
import { LedgerError } from '../errors.ts';
import { securityHeaders } from './security.ts';

export interface Unreadable {
  /** For `clientError` of Node's server: what it could not read, and from whom. */
  readonly answer: (error: NodeJS.ErrnoException, socket: Socket) => void;
  /** Follows whose answers are still to come. Call it once. */
  watch(server: HttpServer | HttpsServer): void;
}

export function createUnreadable(): Unreadable {
  const toCome = new Map<Socket, Set<ServerResponse>>();
  return {
    watch(server) {
      server.on('request', ({ socket }, response: ServerResponse) => {
        const responses = toCome.get(socket) ?? new Set();
        toCome.set(socket, responses.add(response));
        response.once('close', () => {
          responses.delete(response);
          if (responses.size === 0) toCome.delete(socket);
        });
      });
    },
    answer(error, socket) {
      const [first, ...more] = toCome.get(socket) ?? [];
      const isItsOwn = more.length === 0 && first?.headersSent !== true;
      if (error.code !== 'ECONNRESET' && socket.writable && isItsOwn)
        socket.write(answerText(toError(error)));
      socket.destroy();
    },
  };
}

function toError({ code }: NodeJS.ErrnoException): LedgerError {
  if (code === 'HPE_HEADER_OVERFLOW') return new LedgerError('headers_too_large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new LedgerError('request_too_slow');
  return new LedgerError('bad_request', { message: 'This is not a valid HTTP request.' });
}

function answerText({ code, message, status }: LedgerError): string {
  const answer: ErrorAnswer = { code, message };
  const body = JSON.stringify(answer);
  const headers = {
    ...securityHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
