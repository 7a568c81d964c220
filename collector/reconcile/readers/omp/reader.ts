/**
 * oh-my-pi, according to its documents: `.omp`, which PI_CONFIG_DIR renames, a profile's directory
 * in it, and the same below XDG_DATA_HOME. Its swarms keep sessions in their projects.
 */
import { join } from 'node:path';
import type { AgentReader, ReaderEnvironment } from '../reader.ts';

export const omp: AgentReader = {
  name: 'omp',
  title: 'oh-my-pi',
  unpricesCopies: true,
  defaultDirectories(environment, home) {
    const root = join(home, environment.PI_CONFIG_DIR || '.omp');
    const profile = profileIn(environment);
    return [
      join(root, 'agent', 'sessions'),
      ...(profile === null ? [] : [join(root, 'profiles', profile, 'agent', 'sessions')]),
      ...sharedDirectories(environment, profile),
    ];
  },
  tellMore: async (directories) => (await import('./swarm-files.ts')).swarmFiles(directories),
  loadFormat: async () => (await import('../../files/session-format.ts')).sessionFormat,
};

function sharedDirectories(
  environment: ReaderEnvironment,
  profile: string | null,
): readonly string[] {
  if (!environment.XDG_DATA_HOME) return [];
  const root = join(environment.XDG_DATA_HOME, 'omp');
  return [
    join(root, 'sessions'),
    ...(profile === null ? [] : [join(root, 'profiles', profile, 'sessions')]),
  ];
}

function profileIn({ OMP_PROFILE, PI_PROFILE }: ReaderEnvironment): string | null {
  return OMP_PROFILE || PI_PROFILE || null;
}
