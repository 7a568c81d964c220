/**
 * pi: `~/.pi/agent/sessions/--<cwd>--/<time>_<id>.jsonl`. PI_CODING_AGENT_DIR moves the agent's
 * directory, PI_CODING_AGENT_SESSION_DIR the sessions. Both the moved and the default directory may
 * hold sessions.
 */
import { join } from 'node:path';
import { hostDirectories } from '../directories.ts';
import { createSessionImporter } from '../session/importer.ts';

export const pi = createSessionImporter({
  name: 'pi',
  title: 'pi',
  unpricesCopies: false,
  defaultDirectories(environment, homeDirectory) {
    const agents = hostDirectories(homeDirectory, [
      join(homeDirectory, '.pi', 'agent'),
      environment.PI_CODING_AGENT_DIR,
    ]);
    const sessions = agents.map((agent) => join(agent, 'sessions'));
    return hostDirectories(homeDirectory, [...sessions, environment.PI_CODING_AGENT_SESSION_DIR]);
  },
  isSessionFile: (name) => /\.jsonl$/i.test(name),
});
