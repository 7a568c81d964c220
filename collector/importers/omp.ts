/**
 * oh-my-pi: `~/.omp/agent/sessions/<bucket>/<time>_<id>.jsonl`, and its subagents' sessions in a
 * directory beside that bears the same name. A profile has a directory of its own; PI_CONFIG_DIR
 * renames `.omp`; with XDG_DATA_HOME sessions may be in `omp/sessions` there.
 *
 * PI_CODING_AGENT_DIR and PI_CODING_AGENT_SESSION_DIR are pi's names too: those places are read by
 * the importer of pi, which reads the same files alike.
 */
import { join } from 'node:path';
import { directoriesOf } from './directories.ts';
import type { Importer } from './importer.ts';

export const omp: Importer = {
  name: 'omp',
  defaultDirectories(environment, homeDirectory) {
    const root = join(homeDirectory, environment.PI_CONFIG_DIR || '.omp');
    const profile = environment.OMP_PROFILE || environment.PI_PROFILE;
    const xdg = environment.XDG_DATA_HOME ? join(environment.XDG_DATA_HOME, 'omp') : undefined;
    return directoriesOf(homeDirectory, [
      join(root, 'agent', 'sessions'),
      profile === undefined ? undefined : join(root, 'profiles', profile, 'agent', 'sessions'),
      xdg === undefined ? undefined : join(xdg, 'sessions'),
      xdg === undefined || profile === undefined
        ? undefined
        : join(xdg, 'profiles', profile, 'sessions'),
    ]);
  },
  isSessionFile: (name) => name.endsWith('.jsonl') && !name.startsWith('.'),
};
