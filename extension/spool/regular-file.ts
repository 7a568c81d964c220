/**
 * Reading files that somebody else may have put there: what is no regular file is not read, whoever
 * is on its other end cannot make the reader wait, and no more is read than was said. A named pipe
 * in place of a file, a link to a device, a file without end: each is an error with a code.
 *
 * Does not guard against a file system that does not answer.
 */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';

export interface ReadBounds {
  /** A larger file is refused. */
  readonly bytesMax: number;
  /** For what is never a link unless somebody plays tricks. Default: links are followed. */
  readonly refuseLinks?: boolean;
}

/** Beside the system's own, codes of what is wrong with a file. */
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
 * The first `bytesMax` of it, and whether that is all. Contract: as `readRegularFile`, but no size
 * is refused.
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
 * As `readRegularFile`, off the caller's path, as bytes. Contract: rejects where the other throws.
 */
export async function readRegularFileLater(path: string, bounds: ReadBounds): Promise<Buffer> {
  const file = await open(path, flagsOf(bounds));
  try {
    const buffer = Buffer.allocUnsafe(accepted(sizeOf(await file.stat(), path), bounds));
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
 * To be added to the flags of an `open` for writing: a pipe that nobody reads then fails instead of
 * waiting, and a link is no way out of the directory. 0 where the platform has no such things.
 */
export const writeFlags = (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

function withOpened<T>(
  path: string,
  bounds: ReadBounds,
  read: (descriptor: number, size: number) => T,
): T {
  const descriptor = openSync(path, flagsOf(bounds));
  try {
    return read(descriptor, sizeOf(fstatSync(descriptor), path));
  } finally {
    closeSync(descriptor);
  }
}

/** Without blocking, a pipe opens at once and is then seen to be one. */
function flagsOf({ refuseLinks = false }: ReadBounds): number {
  return (
    constants.O_RDONLY |
    (constants.O_NONBLOCK ?? 0) |
    (refuseLinks ? (constants.O_NOFOLLOW ?? 0) : 0)
  );
}

function sizeOf(stats: Stats, path: string): number {
  if (stats.isFile()) return stats.size;
  throw unfit(stats.isDirectory() ? 'EISDIR' : notRegular, path);
}

function accepted(size: number, { bytesMax }: ReadBounds): number {
  if (size > bytesMax) throw unfit(tooLarge, `${size} bytes, at most ${bytesMax} expected`);
  return size;
}

function readUpTo(descriptor: number, bytesMax: number): Buffer {
  const buffer = Buffer.allocUnsafe(bytesMax);
  let length = 0;
  while (length < bytesMax) {
    const bytes = readSync(descriptor, buffer, length, bytesMax - length, length);
    if (bytes === 0) break;
    length += bytes;
  }
  return buffer.subarray(0, length);
}

function unfit(code: string, detail: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${detail}`), { code });
}
