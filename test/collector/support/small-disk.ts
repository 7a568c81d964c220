/**
 * A file system of a few MiB (tmpfs) that fills up. Mounting one needs root; the names of tests say
 * so.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { temporaryDirectory } from './directory.ts';

/** Null if this machine allows no mounts. */
export function mountSmallDisk(mebibytes: number): string | null {
  const directory = join(temporaryDirectory(), 'disk');
  mkdirSync(directory);
  try {
    execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', directory], {
      stdio: 'ignore',
    });
  } catch {
    return null;
  }
  afterAll(() => execFileSync('/bin/umount', ['-l', directory]));
  return directory;
}
