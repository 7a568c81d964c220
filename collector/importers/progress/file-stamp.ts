import type { BigIntStats } from 'node:fs';

/**
 * What a file looks like without opening it: an unchanged file has the same stamp. The inode's own
 * time (ctime) tells of changes that put the file's time back.
 */
export function fileStampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}
