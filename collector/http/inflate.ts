/**
 * gzip of a request's body.
 *
 * Guarantees: never more than `limits.decompressedBytesMax` come out, and of a body that would
 * become more nothing is kept; the thread is held for no longer than `atOnceBytesMax` take (some 2
 * ms).
 */
import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import { limits } from '@pi-ledger/contract';
import { LedgerError } from '../errors.ts';

/**
 * Batches of agents are smaller. Inflated at once a body costs a sixth of what it costs in pieces
 * that go to another thread and back.
 */
const atOnceBytesMax = 1024 * 1024;
/** Of what is larger. */
const pieceBytes = 256 * 1024;
const pieceBytesMin = 64;

const inflateElsewhere = promisify(gunzip);

/** Contract: rejects with a LedgerError for what is too large, or no complete gzip stream. */
export async function inflate(bytes: Buffer): Promise<Buffer> {
  const announced = announcedBytes(bytes);
  return (
    (announced <= atOnceBytesMax ? inflateAtOnce(bytes, announced) : null) ?? inflateInPieces(bytes)
  );
}

/** Null when it becomes more than it says, or than is inflated at once. */
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
      message: `A body has at most ${limits.decompressedBytesMax} bytes inflated.`,
    });
  }
}

/**
 * How long it is inflated, by its last four bytes (RFC 1952). A hint: whoever sends may lie, and of
 * several members it is the last one's.
 */
function announcedBytes(bytes: Buffer): number {
  return bytes.length < 4 ? 0 : bytes.readUInt32LE(bytes.length - 4);
}

function isTooLarge(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
}
