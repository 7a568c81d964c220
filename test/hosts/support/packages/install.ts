/**
 * Installs the packages of pi that the hosts lane runs, from npm into the cache folder of the
 * tests: exactly what the lock file in `test/hosts/packages` says, integrity included.
 *
 *     node test/hosts/support/packages/install.ts
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hostsDirectory } from '../host/hosts.ts';
import { installOnce, type Outcome } from '../host/install-once.ts';
import { npm } from '../host/npm.ts';

const locked = join(import.meta.dirname, '..', '..', 'packages');

/** Named after the lock: a change of it is a new folder. */
const directory = join(dirname(hostsDirectory), `packages-${lockHash()}`);

/** Where pi loads the package from. */
export function packageDirectory(name: string): string {
  return join(directory, 'node_modules', name);
}

/** Their peers are parts of pi, which gives its own to what it loads. No install script runs. */
export function ensurePackages(): Promise<Outcome> {
  return installOnce(directory, async (staging) => {
    for (const name of ['package.json', 'package-lock.json'])
      await cp(join(locked, name), join(staging, name));
    await npm(staging, 'ci', '--no-audit', '--no-fund', '--legacy-peer-deps', '--ignore-scripts');
    return { lock: lockHash() };
  });
}

function lockHash(): string {
  const text = readFileSync(join(locked, 'package-lock.json'));
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

if (import.meta.main) console.log(`packages of pi: ${await ensurePackages()}`);
