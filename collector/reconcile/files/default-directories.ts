/**
 * Where hosts keep their sessions, according to their own documents. Like everything here,
 * independent of the importers' code.
 *
 * pi: the agent's directory, moved by PI_CODING_AGENT_DIR, or PI_CODING_AGENT_SESSION_DIR. omp:
 * `.omp`, renamed by PI_CONFIG_DIR, a profile's directory in it, and the same below XDG_DATA_HOME.
 */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, normalize } from 'node:path';
import { swarmFiles } from './swarm-files.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Those of the directories that exist, and sessions that omp's swarms keep in their projects. */
export function defaultDirectories(env: Environment): readonly string[] {
  const home = env.HOME || homedir();
  const agents = [join(home, '.pi', 'agent'), env.PI_CODING_AGENT_DIR, ...ompAgents(env, home)];
  const sessions = agents.flatMap((agent) => (agent ? [join(agent, 'sessions')] : []));
  const named = [
    ...sessions,
    ...ompShared(env),
    ...(env.PI_CODING_AGENT_SESSION_DIR ? [env.PI_CODING_AGENT_SESSION_DIR] : []),
  ];
  const existing = (paths: readonly string[]) => {
    const absolute = paths
      .map((directory) => directory.replace(/^~(?=\/|$)/, () => home))
      .filter((directory) => isAbsolute(directory));
    return [...new Set(absolute.map(normalize))].filter((directory) => existsSync(directory));
  };
  const omp = [...ompAgents(env, home).map((agent) => join(agent, 'sessions')), ...ompShared(env)];
  return [...existing(named), ...swarmFiles(existing(omp))];
}

function ompAgents(env: Environment, home: string): readonly string[] {
  const root = join(home, env.PI_CONFIG_DIR || '.omp');
  const profile = profileOf(env);
  return [
    join(root, 'agent'),
    ...(profile === null ? [] : [join(root, 'profiles', profile, 'agent')]),
  ];
}

function ompShared(env: Environment): readonly string[] {
  if (!env.XDG_DATA_HOME) return [];
  const root = join(env.XDG_DATA_HOME, 'omp');
  const profile = profileOf(env);
  return [
    join(root, 'sessions'),
    ...(profile === null ? [] : [join(root, 'profiles', profile, 'sessions')]),
  ];
}

function profileOf(env: Environment): string | null {
  return env.OMP_PROFILE || env.PI_PROFILE || null;
}
