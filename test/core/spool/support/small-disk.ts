import { spawnSync } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { temporaryDirectory } from './places.ts';

/**
 * A real file system of this many KiB, to be filled up; null, with the reason, if none can be
 * mounted.
 */
export function smallDisk(
  kibibytes: number,
): { directory: string } | { directory: null; reason: string } {
  const directory = temporaryDirectory();
  const mount = spawnSync(
    'mount',
    ['-t', 'tmpfs', '-o', `size=${kibibytes}k,mode=0700`, 'tmpfs', directory],
    { encoding: 'utf8' },
  );
  if (mount.status !== 0)
    return {
      directory: null,
      reason: `no tmpfs can be mounted here: ${mount.error?.message ?? mount.stderr.trim()}`,
    };
  onTestFinished(() => void spawnSync('umount', ['-l', directory]));
  return { directory };
}
