/**
 * Installs the packages of pi that the hosts lane runs, from npm into the cache folder of the
 * tests: what the lock file in `test/hosts/packages` says.
 *
 *     node test/hosts/support/packages/install.ts
 */
import { join } from 'node:path';
import { lockedPackages } from '../../../tools/locked-packages.ts';

/** Their peers are parts of pi, which gives its own to what it loads. */
const packages = lockedPackages('packages', join(import.meta.dirname, '..', '..', 'packages'));

/** Where pi loads the package from. */
export const packageDirectory = packages.folderOf;
export const ensurePackages = packages.install;

if (import.meta.main) console.log(`packages of pi: ${await ensurePackages()}`);
