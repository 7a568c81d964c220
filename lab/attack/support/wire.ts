/** Requests as bytes, which no well-behaved client would send, and what comes back. */
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

export interface WireAnswer {
  /** 0: the connection ended without an answer. */
  readonly status: number;
  /** Names in lower case; of repeated ones the last. */
  readonly headers: Readonly<Record<string, string>>;
  /** Without its encoding. */
  readonly body: string;
  /** The bytes behind the answer, with the answers to pipelined requests. */
  readonly rest: Buffer;
}

/** One byte for each character; `\u00ff` is the byte 255. */
export const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Sends all of it on a connection of its own; resolves with all bytes when the server ends it. */
export function send(url: string, ...parts: readonly (string | Buffer)[]): Promise<Buffer> {
  const { hostname, port } = new URL(url);
  const came: Buffer[] = [];
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      for (const part of parts) socket.write(typeof part === 'string' ? bytesOf(part) : part);
    });
    socket.on('data', (piece) => came.push(piece));
    // A server that has answered may reset what is still being sent.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(came)));
  });
}

export async function ask(
  url: string,
  ...parts: readonly (string | Buffer)[]
): Promise<WireAnswer> {
  return firstAnswer(await send(url, ...parts));
}

/** All answers on one connection, in order. */
export function answersIn(bytes: Buffer): readonly WireAnswer[] {
  const found: WireAnswer[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const answer = firstAnswer(rest);
    found.push(answer);
    rest = answer.rest;
  }
  return found;
}

const none: WireAnswer = { status: 0, headers: {}, body: '', rest: Buffer.alloc(0) };

function firstAnswer(bytes: Buffer): WireAnswer {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return bytes.length === 0 ? none : { ...none, body: bytes.toString() };
  const [line = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1] ?? 0);
  const after = bytes.subarray(end + 4);
  // 100 Continue comes before the answer.
  if (status >= 100 && status < 200) return firstAnswer(after);
  const headers = Object.fromEntries(
    lines.map((text) => {
      const colon = text.indexOf(':');
      return [text.slice(0, colon).toLowerCase(), text.slice(colon + 1).trim()];
    }),
  );
  const { body, rest } = cutBody(after, headers);
  return { status, headers, body: decoded(body, headers['content-encoding']), rest };
}

function cutBody(bytes: Buffer, headers: WireAnswer['headers']): { body: Buffer; rest: Buffer } {
  if (headers['transfer-encoding'] === 'chunked') return cutChunks(bytes);
  const length = Number(headers['content-length'] ?? bytes.length);
  return { body: bytes.subarray(0, length), rest: bytes.subarray(length) };
}

function cutChunks(bytes: Buffer): { body: Buffer; rest: Buffer } {
  const pieces: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = bytes.indexOf('\r\n', at);
    const length = line < 0 ? Number.NaN : Number.parseInt(bytes.toString('latin1', at, line), 16);
    // The answer broke off, or ended.
    if (!(length > 0))
      return {
        body: Buffer.concat(pieces),
        rest: bytes.subarray(line < 0 ? bytes.length : line + 4),
      };
    pieces.push(bytes.subarray(line + 2, line + 2 + length));
    at = line + 2 + length + 2;
  }
}

function decoded(body: Buffer, encoding: string | undefined): string {
  if (body.length === 0) return '';
  if (encoding === 'gzip') return gunzipSync(body).toString();
  return (encoding === 'br' ? brotliDecompressSync(body) : body).toString();
}
