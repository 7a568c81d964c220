/**
 * Inflates the gzip body of a request.
 *
 * Guarantees: at most `limits.decompressedBytesMax` bytes come out, and nothing of a larger body;
 * the thread is blocked no longer than `atOnceBytesMax` take, about 2 ms.
 */
import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import { limits } from '@pi-ledger/contract';
import { LedgerError } from '../../errors.ts';

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
