/** Where hosts keep their sessions, by their own documents: found by other code than the importers', like everything else here. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Of those, the directories that exist. */
export function defaultDirectories(env: Environment): readonly string[] {
  const home = env.HOME || homedir();
  const agent = env.PI_CODING_AGENT_DIR;
  const named = [
    env.PI_CODING_AGENT_SESSION_DIR,
    agent === undefined || agent === '' ? undefined : join(agent, 'sessions'),
    join(home, '.pi', 'agent', 'sessions'),
    join(home, '.omp', 'agent', 'sessions'),
  ].flatMap((directory) => (directory === undefined || directory === '' ? [] : [directory.replace(/^~(?=\/|$)/, home)]));
  return [...new Set(named)].filter((directory) => existsSync(directory));
}
