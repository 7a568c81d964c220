/**
 * pi, according to its documents: the agent's directory, which PI_CODING_AGENT_DIR moves, or
 * PI_CODING_AGENT_SESSION_DIR.
 */
import { join } from 'node:path';
import type { AgentReader } from '../reader.ts';

export const pi: AgentReader = {
  name: 'pi',
  title: 'pi',
  unpricesCopies: false,
  defaultDirectories: (environment, home) => [
    ...[join(home, '.pi', 'agent'), environment.PI_CODING_AGENT_DIR].flatMap((agent) =>
      agent ? [join(agent, 'sessions')] : [],
    ),
    ...(environment.PI_CODING_AGENT_SESSION_DIR ? [environment.PI_CODING_AGENT_SESSION_DIR] : []),
  ],
  loadFormat: async () => (await import('../../files/session-format.ts')).sessionFormat,
};
