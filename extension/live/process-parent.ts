/**
 * How a pi process tells the agents that its tools start whose subagents they are: an environment
 * variable that children inherit, `<session id> <entry id of the turn>`. It says two short ids and
 * no more; whatever else stands there is ignored.
 *
 * One process has one environment: with two sessions at work in one (no host does that with child
 * processes), children may be told the wrong one.
 */
import type { SubagentParent } from '../record/entry-draft.ts';
import { turnKey } from '../record/subagent.ts';

export type MutableEnvironment = Record<string, string | undefined>;

/**
 * Called when a tool starts. Contract: synchronous, touches the environment only when the answer
 * has changed.
 */
export type AnnounceParent = (sessionId: string, turnEntryId: string | null) => void;

/** To be read once, when the process starts: later it speaks of this process itself. */
export function readProcessParent(
  environment: Readonly<MutableEnvironment>,
): SubagentParent | null {
  const match = pattern.exec(environment[variable] ?? '');
  const [, sessionId, turnEntryId] = match ?? [];
  return sessionId === undefined || turnEntryId === undefined
    ? null
    : { sessionId, key: turnKey(turnEntryId) };
}

/** A turn that is not known leaves nothing behind: an older one would be wrong. */
export function createAnnouncer(environment: MutableEnvironment): AnnounceParent {
  let announced: string | null = null;
  return (sessionId, turnEntryId) => {
    const value = turnEntryId === null ? '' : `${sessionId} ${turnEntryId}`;
    if (value === announced) return;
    announced = value;
    environment[variable] = pattern.test(value) ? value : '';
  };
}

const variable = 'PI_LEDGER_PARENT';
const pattern = /^([A-Za-z0-9_][A-Za-z0-9._-]{0,99}) ([A-Za-z0-9_][A-Za-z0-9._-]{0,99})$/;
