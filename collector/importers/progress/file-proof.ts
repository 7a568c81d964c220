/**
 * Proves that a file still begins with what was read of it: a hash of its first bytes and the last
 * bytes read. Size and times are not enough: hosts rewrite files, and a rewritten one can be as
 * long or longer. Most write a new file and rename it, so the inode is part of the proof and
 * reveals changes in the middle too.
 *
 * omp's title line, 256 bytes that are rewritten in place, is left out.
 */
import { createHash } from 'node:crypto';
import { fstatSync, readSync } from 'node:fs';

const partBytes = 4_096;
const titleBytes = 256;

/** The proof for the file's first `offset` bytes. Throws the file system's errors. */
export function proveFile(descriptor: number, offset: number): string {
  const head = readAt(descriptor, 0, Math.min(offset, partBytes + titleBytes));
  const isTitled = head.toString('latin1', 0, 64).includes('"type":"title"');
  const tailAt = Math.max(isTitled ? titleBytes : 0, offset - partBytes);
  const tail = tailAt < offset ? readAt(descriptor, tailAt, offset - tailAt) : Buffer.alloc(0);
  return createHash('sha256')
    .update(head.subarray(isTitled ? titleBytes : 0))
    .update(`|${head.length}|${tail.length}|${fstatSync(descriptor, { bigint: true }).ino}|`)
    .update(tail)
    .digest('base64');
}

function readAt(descriptor: number, position: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  let read = 0;
  while (read < bytes) {
    const more = readSync(descriptor, buffer, read, bytes - read, position + read);
    if (more === 0) break;
    read += more;
  }
  return buffer.subarray(0, read);
}
