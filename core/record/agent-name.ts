/**
 * The agent that a subagent's session is named after. Packages put it into the session's name,
 * which is a person's text in other sessions: only the forms that packages write are read.
 */
import type { Entry } from './entry.ts';
import { asString } from './fields.ts';

/** `subagent-<agent>-<run>-<n>`, `<agent>#<run>`, `subagent: <agent> · <handle>`. */
const forms = [
  /^subagent-([\w.-]{1,80})-[0-9a-f]{8}-[0-9a-f-]{27}-\d+$/,
  /^([\w.-]{1,80})#[0-9a-f-]{6,40}$/,
  /^subagent: ([\w.-]{1,80})(?: · [\w.-]{1,80})?$/,
];

/** Returns null for an entry that names no agent. */
export function agentNameIn(entry: Entry): string | null {
  if (entry.type !== 'session_info') return null;
  const name = asString(entry.body.name) ?? '';
  for (const form of forms) {
    const [, agent] = form.exec(name) ?? [];
    if (agent !== undefined) return agent;
  }
  return null;
}
