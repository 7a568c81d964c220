import type { BigIntStats } from 'node:fs';

/**
 * Identifies a file's state without opening it: an unchanged file has the same stamp. The inode's
 * ctime reveals changes that reset the modification time.
 */
export function stampFile({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

/** The stamp of a file that must be read again from its start. */
export const unreadStamp = '';
