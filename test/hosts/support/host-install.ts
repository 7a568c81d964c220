/** Puts the extension into a host the way its own users do: by the host's install command, from a checkout of this repository. */
import { join } from 'node:path';
import { repositoryRoot } from './ledger.ts';
import { type HostRun, startProcess } from './processes.ts';
import type { Sandbox } from './sandbox.ts';

const installMsMax = 60_000;

/** `pi install <folder>`, `omp plugin link <folder>`: the bundle that its manifest names. Resolves however it ended. */
export function installExtension({ host, home, env }: Sandbox): Promise<HostRun> {
  const words = host.family === 'pi' ? ['install'] : ['plugin', 'link'];
  return startProcess([...host.command, ...words, join(repositoryRoot, 'extension')], { cwd: home, env, timeoutMs: installMsMax }).done;
}
