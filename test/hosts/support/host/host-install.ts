/**
 * Installs the extension as users do: by the host's install command, from a checkout of this
 * repository.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { waitMsMax } from '../../../support/bounds.ts';
import { repositoryRoot } from '../ledger/ledger.ts';
import { type HostRun, startProcess } from './processes.ts';
import type { Sandbox } from './sandbox.ts';

/**
 * `pi install <folder>`, `omp plugin link <folder>`: loads what its manifest names. Resolves
 * however it ended.
 */
export function installExtension(
  { host, home, env }: Sandbox,
  folder = join(repositoryRoot, 'extension'),
): Promise<HostRun> {
  const words = host.family === 'pi' ? ['install'] : ['plugin', 'link'];
  return startProcess([...host.command, ...words, folder], {
    cwd: home,
    env,
    timeoutMs: waitMsMax,
  }).done;
}

/**
 * The extension in a clone where nothing was installed: no bundle, no packages, only the core and
 * the contract beside it. Returns its folder.
 */
export function cloneExtension({ root }: Sandbox): string {
  const isTracked = (path: string) => !/[/\\](dist|node_modules)$/.test(path);
  for (const folder of ['contract', 'core', 'extension'])
    cpSync(join(repositoryRoot, folder), join(root, 'clone', folder), {
      recursive: true,
      filter: isTracked,
    });
  return join(root, 'clone', 'extension');
}
