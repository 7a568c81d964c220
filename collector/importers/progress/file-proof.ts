/**
 * Proof that a file still begins with what was read of it: a hash over its first bytes and the last
 * ones that were read. Size and times alone do not tell: hosts rewrite files, and a rewritten one
 * can be as long as before, or longer. Most write it anew beside the old one, and rename it: so the
 * inode belongs to the proof, and tells of a change in the middle too.
 *
 * omp's title line, 256 bytes that are rewritten in place, is not part of it.
 */
import { createHash } from 'node:crypto';
import { fstatSync, readSync } from 'node:fs';

const partBytes = 4_096;
const titleBytes = 256;

/** Of the file's first `offset` bytes. Throws what the file system says. */
export function fileProofOf(descriptor: number, offset: number): string {
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
