/**
 * oh-my-pi: `~/.omp/agent/sessions/<bucket>/<time>_<id>.jsonl`, with its subagents' sessions in a
 * directory of the same name beside it. A profile has its own directory; PI_CONFIG_DIR renames
 * `.omp`; with XDG_DATA_HOME, sessions may be in `omp/sessions` there. Its swarms keep sessions in
 * projects (swarms.ts), and `/tan` copies answers without their prices.
 *
 * PI_CODING_AGENT_DIR and PI_CODING_AGENT_SESSION_DIR belong to pi too: pi's importer reads these
 * directories in the same way.
 */
import { join } from 'node:path';
import { hostDirectories } from '../directories.ts';
import { createSessionImporter } from '../session/importer.ts';

export const omp = createSessionImporter({
  name: 'omp',
  title: 'oh-my-pi',
  unpricesCopies: true,
  defaultDirectories(environment, homeDirectory) {
    const root = join(homeDirectory, environment.PI_CONFIG_DIR || '.omp');
    const profile = environment.OMP_PROFILE || environment.PI_PROFILE;
    const xdg = environment.XDG_DATA_HOME ? join(environment.XDG_DATA_HOME, 'omp') : undefined;
    return hostDirectories(homeDirectory, [
      join(root, 'agent', 'sessions'),
      profile === undefined ? undefined : join(root, 'profiles', profile, 'agent', 'sessions'),
      xdg === undefined ? undefined : join(xdg, 'sessions'),
      xdg === undefined || profile === undefined
        ? undefined
        : join(xdg, 'profiles', profile, 'sessions'),
    ]);
  },
  isSessionFile,
  discoverMore: async (found, environment) =>
    (await import('./swarms.ts')).findSwarms(found, environment, isSessionFile),
});

function isSessionFile(name: string): boolean {
  return /\.jsonl$/i.test(name) && !name.startsWith('.');
}
