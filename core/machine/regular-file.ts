/**
 * Reads files that somebody else may have put there: only regular files, without waiting for
 * another process, and up to a limit. A named pipe in place of a file, a link to a device, an
 * endless file: each is an error with a code.
 *
 * Does not guard against a file system that does not respond.
 */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';

export interface ReadBounds {
  /** A larger file is refused. */
  readonly bytesMax: number;
  /**
   * For files that are never links unless somebody tampers with them. Default: links are followed.
   */
  readonly refuseLinks?: boolean;
}

/** Error codes besides the system's own. */
const notRegular = 'NOT_A_REGULAR_FILE';
const tooLarge = 'TOO_LARGE';

/**
 * The content as text. Contract: synchronous; throws an error with a `code`, never waits for
 * another process.
 */
export function readRegularFile(path: string, bounds: ReadBounds): string {
  return withOpened(path, bounds, (descriptor, size) =>
    readUpTo(descriptor, accepted(size, bounds)).toString('utf8'),
  );
}

/**
 * The first `bytesMax` of the file, and whether that is all. Contract: as `readRegularFile`, but no
 * size is refused.
 */
export function readBeginning(
  path: string,
  bounds: ReadBounds,
): { readonly bytes: Buffer; readonly isWhole: boolean } {
  return withOpened(path, bounds, (descriptor, size) => ({
    bytes: readUpTo(descriptor, Math.min(size, bounds.bytesMax)),
    isWhole: size <= bounds.bytesMax,
  }));
}

/**
 * For files of any size that are read in parts: `read(at, bytesMax)` gives what is there. Contract:
 * as `readBeginning`.
 */
export function withRegularFile<T>(
  path: string,
  use: (read: (at: number, bytesMax: number) => Buffer, size: number) => T,
): T {
  return withOpened(path, { bytesMax: 0 }, (descriptor, size) =>
    use((at, bytesMax) => readUpTo(descriptor, Math.min(bytesMax, size - at), at), size),
  );
}

/** As `readRegularFile`, asynchronous and as bytes. Contract: rejects where the other throws. */
export async function readRegularFileLater(path: string, bounds: ReadBounds): Promise<Buffer> {
  const file = await open(path, openFlags(bounds));
  try {
    const buffer = Buffer.allocUnsafe(accepted(readableSize(await file.stat(), path), bounds));
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return buffer.subarray(0, length);
  } finally {
    await file.close();
  }
}

/**
 * Flags to add to an `open` for writing: a pipe without a reader then fails instead of blocking,
 * and a link cannot lead out of the directory. 0 on platforms without these.
 */
export const writeFlags = (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

function withOpened<T>(
  path: string,
  bounds: ReadBounds,
  read: (descriptor: number, size: number) => T,
): T {
  const descriptor = openSync(path, openFlags(bounds));
  try {
    return read(descriptor, readableSize(fstatSync(descriptor), path));
  } finally {
    closeSync(descriptor);
  }
}

/** In non-blocking mode a pipe opens at once and is then recognised. */
function openFlags({ refuseLinks = false }: ReadBounds): number {
  return (
    constants.O_RDONLY |
    (constants.O_NONBLOCK ?? 0) |
    (refuseLinks ? (constants.O_NOFOLLOW ?? 0) : 0)
  );
}

function readableSize(stats: Stats, path: string): number {
  if (stats.isFile()) return stats.size;
  throw unfit(stats.isDirectory() ? 'EISDIR' : notRegular, path);
}

function accepted(size: number, { bytesMax }: ReadBounds): number {
  if (size > bytesMax) throw unfit(tooLarge, `${size} bytes, at most ${bytesMax} expected`);
  return size;
}

function readUpTo(descriptor: number, bytesMax: number, at = 0): Buffer {
  const buffer = Buffer.allocUnsafe(bytesMax);
  let length = 0;
  while (length < bytesMax) {
    const bytes = readSync(descriptor, buffer, length, bytesMax - length, at + length);
    if (bytes === 0) break;
    length += bytes;
  }
  return buffer.subarray(0, length);
}

function unfit(code: string, detail: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${detail}`), { code });
}
