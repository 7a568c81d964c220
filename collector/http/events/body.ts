/**
 * Reads the body of `POST /v1/events`: bytes in, events out.
 *
 * Its size is bounded as sent (`limits.bodyBytesMax`) and inflated (`limits.decompressedBytesMax`).
 * Inflating stops at the bound, so a gzip bomb costs no more than an honest body. All bodies
 * together are bounded as well (bytes-in-hand.ts).
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import { limits } from '@pi-ledger/contract';
import { LedgerError } from '../../errors.ts';
import { parseEvent } from '../../ingest/ingest.ts';
import { splitArray } from './batch-text.ts';
import type { Hold } from './bytes-in-hand.ts';

export interface EventBody {
  readonly values: readonly unknown[];
  /** The JSON text of each, as it came. */
  readonly texts: readonly string[];
}

/** Contract: throws a LedgerError if the body as a whole is bad. */
export async function readBatch(
  stream: Readable,
  headers: IncomingHttpHeaders,
  hold: Hold,
): Promise<EventBody> {
  const text = await readText(stream, headers, hold);
  const values = parseJson(text);
  if (!Array.isArray(values)) throw new LedgerError('not_a_batch');
  if (values.length > limits.batchEventsMax) {
    throw new LedgerError('too_many_events', {
      message:
        `A batch may have at most ${limits.batchEventsMax} events; ` +
        `this one has ${values.length}.`,
    });
  }
  return { values, texts: splitArray(text, values) };
}

/** Like `readBatch`, for a body that is one event. */
export async function readSingle(
  stream: Readable,
  headers: IncomingHttpHeaders,
  hold: Hold,
): Promise<EventBody> {
  const text = await readText(stream, headers, hold);
  const value = parseEvent(text);
  if (value === undefined) throw new LedgerError('not_json');
  return { values: [value], texts: [text] };
}

async function readText(
  stream: Readable,
  headers: IncomingHttpHeaders,
  hold: Hold,
): Promise<string> {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'gzip' && encoding !== 'identity')
    throw new LedgerError('unsupported_content_encoding');
  requireUtf8(headers['content-type']);
  const bytes = await readBytes(stream, Number(headers['content-length'] ?? 0), hold);
  const content = encoding === 'gzip' ? await inflate(bytes) : bytes;
  if (content !== bytes) hold.take(content.length);
  try {
    return utf8.decode(content);
  } catch (error) {
    throw new LedgerError('not_json', { cause: error });
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function requireUtf8(contentType: string | undefined): void {
  const charset = /;\s*charset="?([^";]+)"?/i
    .exec(contentType ?? '')?.[1]
    ?.trim()
    .toLowerCase();
  if (charset === undefined || charset === 'utf-8' || charset === 'utf8') return;
  throw new LedgerError('unsupported_content_type', { message: 'The charset must be UTF-8.' });
}

async function readBytes(stream: Readable, announcedBytes: number, hold: Hold): Promise<Buffer> {
  if (announcedBytes > limits.bodyBytesMax) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > limits.bodyBytesMax) throw tooLarge();
    hold.take(chunk.length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(): LedgerError {
  return new LedgerError('body_too_large', {
    message: `A body may have at most ${limits.bodyBytesMax} bytes as sent.`,
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new LedgerError('not_json', { cause: error });
  }
}

// Inflates the gzip body of a request.
// Guarantees: at most `limits.decompressedBytesMax` bytes come out, and nothing of a larger body;
// the thread is blocked no longer than `atOnceBytesMax` take, about 2 ms.

/** Agents send smaller batches. Inflating at once costs a sixth of doing it on another thread. */
const atOnceBytesMax = 1024 * 1024;
/** For larger bodies. */
const pieceBytes = 256 * 1024;
const pieceBytesMin = 64;

const inflateElsewhere = promisify(gunzip);

/** Contract: rejects with a LedgerError if the body is too large or not a complete gzip stream. */
export async function inflate(bytes: Buffer): Promise<Buffer> {
  const announced = announcedBytes(bytes);
  return (
    (announced <= atOnceBytesMax ? inflateAtOnce(bytes, announced) : null) ?? inflateInPieces(bytes)
  );
}

/** Returns null if it is larger than announced, or too large to inflate at once. */
function inflateAtOnce(bytes: Buffer, announced: number): Buffer | null {
  try {
    return gunzipSync(bytes, {
      maxOutputLength: atOnceBytesMax,
      chunkSize: Math.max(announced + 1, pieceBytesMin),
    });
  } catch (error) {
    if (isTooLarge(error)) return null;
    throw new LedgerError('bad_gzip', { cause: error });
  }
}

async function inflateInPieces(bytes: Buffer): Promise<Buffer> {
  try {
    return await inflateElsewhere(bytes, {
      maxOutputLength: limits.decompressedBytesMax,
      chunkSize: pieceBytes,
    });
  } catch (error) {
    if (!isTooLarge(error)) throw new LedgerError('bad_gzip', { cause: error });
    throw new LedgerError('body_too_large', {
      message: `A body may have at most ${limits.decompressedBytesMax} bytes inflated.`,
    });
  }
}

/**
 * The inflated size by the last four bytes (RFC 1952). Only a hint: the sender may lie, and with
 * several members it is the last one's.
 */
function announcedBytes(bytes: Buffer): number {
  return bytes.length < 4 ? 0 : bytes.readUInt32LE(bytes.length - 4);
}

function isTooLarge(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
}
