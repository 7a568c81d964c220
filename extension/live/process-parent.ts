/**
 * How a pi process tells agents started by its tools whose subagents they are: an inherited
 * environment variable, `<session id> <entry id of the turn>`. It holds two short ids, or
 * `private:<owner>` if they are not to be recorded, with the process that says so; any other
 * content is ignored.
 *
 * A process has one environment: with two active sessions in one process (no host does that with
 * child processes), children may get the wrong parent.
 */
import type { SubagentParent } from '../../core/record/entry-draft.ts';
import { turnKey } from '../../core/record/subagent.ts';
import { judgeLiveness, type Observer } from '../../core/spool/liveness.ts';
import { decodeOwner, encodeOwner, type SpoolOwner } from '../../core/spool/owner.ts';

export type MutableEnvironment = Record<string, string | undefined>;

/**
 * Called when a tool starts. Contract: synchronous; touches the environment only when the turn has
 * changed.
 */
export type AnnounceParent = (
  sessionId: string,
  turnEntryId: string | null,
  isPrivate?: boolean,
) => void;

/** Read once, when the process starts: later the variable describes this process itself. */
export function readProcessParent(
  environment: Readonly<MutableEnvironment>,
): SubagentParent | null {
  const match = pattern.exec(environment[variable] ?? '');
  const [, sessionId, turnEntryId] = match ?? [];
  return sessionId === undefined || turnEntryId === undefined
    ? null
    : { sessionId, key: turnKey(turnEntryId) };
}

/**
 * Whether sessions that this process begins are private. Read once, as the parent is. Not if the
 * process that said so has certainly ended: what its tools left running (a terminal multiplexer)
 * keeps the variable.
 */
export function isPrivateProcess(
  environment: Readonly<MutableEnvironment>,
  observer: () => Observer,
): boolean {
  const value = environment[variable] ?? '';
  if (!value.startsWith(privatePrefix)) return false;
  const owner = decodeOwner(value.slice(privatePrefix.length));
  return owner === null || judgeLiveness(owner, observer()) !== 'dead';
}

/**
 * `self`: the process that announces. An unknown turn clears the variable: the previous turn would
 * be wrong.
 */
export function createAnnouncer(environment: MutableEnvironment, self: SpoolOwner): AnnounceParent {
  let announced: string | null = null;
  return (sessionId, turnEntryId, isPrivate = false) => {
    const parent = turnEntryId === null ? '' : `${sessionId} ${turnEntryId}`;
    const value = isPrivate ? `${privatePrefix}${encodeOwner(self)}` : parent;
    if (value === announced) return;
    announced = value;
    environment[variable] = isPrivate || pattern.test(value) ? value : '';
  };
}

const variable = 'PI_LEDGER_PARENT';
const privatePrefix = 'private:';
const pattern = /^([A-Za-z0-9_][A-Za-z0-9._-]{0,99}) ([A-Za-z0-9_][A-Za-z0-9._-]{0,99})$/;
