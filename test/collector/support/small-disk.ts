/**
 * A file system of a few MiB (tmpfs), to run out of. Mounting one needs root; where it cannot be
 * had the tests say so by name.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { temporaryDirectory } from './directory.ts';

/** Null where this machine allows no mounts. */
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
