/**
 * Packages from npm that one lane or tool alone needs: exactly what the lock file of a folder says,
 * integrity included, in the cache folder of the tests. No install script runs.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { installOnce, type Outcome } from '../hosts/support/host/install-once.ts';
import { npm } from '../hosts/support/host/npm.ts';
import { cacheDirectory } from '../services/cache.ts';

export interface LockedPackages {
  /** The folder of one of the packages, once they are installed. */
  folderOf(name: string): string;
  /** What is there already is left alone. */
  install(): Promise<Outcome>;
}

/** `folder` has a `package.json` and its lock. Another lock is another folder in the cache. */
export function lockedPackages(name: string, folder: string): LockedPackages {
  const text = readFileSync(join(folder, 'package-lock.json'));
  const lock = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const directory = cacheDirectory(process.env, `${name}-${lock}`);
  return {
    folderOf: (each) => join(directory, 'node_modules', each),
    install: () =>
      installOnce(directory, async (staging) => {
        for (const file of ['package.json', 'package-lock.json'])
          await cp(join(folder, file), join(staging, file));
        const quiet = ['--no-audit', '--no-fund', '--ignore-scripts'];
        await npm(staging, 'ci', ...quiet, '--legacy-peer-deps');
        return { lock };
      }),
  };
}
