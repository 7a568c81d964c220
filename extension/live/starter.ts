/**
 * Which session of this process started another one, by a tool or in the background of one. A user
 * who opens another session leaves the one before, or the host says what was done.
 */
import type { Header } from '../../core/record/entry.ts';
import { isOpenedByUser } from '../host/events.ts';
import type { RunningTool, SessionState } from './session-state.ts';
import type { Trigger } from './triggers.ts';

export interface Starter {
  readonly sessionId: string;
  /** The turn that called the tool; null if no tool that may have done it runs. */
  readonly turnEntryId: string | null;
  /** The tool was called while its session was paused. */
  readonly isPrivate: boolean;
}

/** What made a session known; no hook did if the trigger is null. */
export interface Cause {
  readonly trigger: Trigger | null;
  readonly event: unknown;
}

/**
 * A session whose tool runs, or one that the header names: a tool that starts a subagent in the
 * background returns before the subagent begins. Null for the only session that is open.
 */
export function findStarter(
  sessions: readonly SessionState[],
  header: Header | null,
  { trigger, event }: Cause,
): Starter | null {
  if (trigger === null || isOpenedByUser(trigger, event)) return null;
  const open = sessions.filter(
    (session) => !session.isOver && (trigger === 'session_start' || isOlder(session, header)),
  );
  const named = open.find((session) => isNamedBy(session, header));
  const session = named ?? latestAmong(open);
  const tool = session === undefined ? undefined : latestTool(session);
  if (session === undefined || (named === undefined && tool === undefined)) return null;
  return {
    sessionId: session.id,
    turnEntryId: tool === undefined || plainTools.has(tool.toolName) ? null : tool.turnEntryId,
    isPrivate: tool?.isPrivate ?? false,
  };
}

/** A session may be seen again after it was forgotten, while its own subagents work. */
function isOlder({ header }: SessionState, than: Header | null): boolean {
  return header !== null && than !== null && header.timeMs <= than.timeMs;
}

function isNamedBy({ id, file }: SessionState, header: Header | null): boolean {
  const parent = header?.parentSession ?? null;
  return parent !== null && (parent === file || parent === id);
}

/** The session whose tool is the likeliest to have started another one. */
function latestAmong(open: readonly SessionState[]): SessionState | undefined {
  let latest: { readonly session: SessionState; readonly tool: RunningTool } | undefined;
  for (const session of open) {
    const tool = latestTool(session);
    if (tool === undefined) continue;
    if (latest === undefined || isLikelier(tool, latest.tool)) latest = { session, tool };
  }
  return latest?.session;
}

function latestTool({ runningTools }: SessionState): RunningTool | undefined {
  return [...runningTools.values()].reduce<RunningTool | undefined>(
    (latest, tool) => (latest === undefined || isLikelier(tool, latest) ? tool : latest),
    undefined,
  );
}

/** A subagent of the one session may run a command while the other session starts a second one. */
function isLikelier(tool: RunningTool, than: RunningTool): boolean {
  const [isPlain, wasPlain] = [plainTools.has(tool.toolName), plainTools.has(than.toolName)];
  return isPlain === wasPlain ? tool.startedMs >= than.startedMs : wasPlain;
}

/** The hosts' own tools that start no session in their process. */
const plainTools: ReadonlySet<string> = new Set([
  'bash',
  'edit',
  'find',
  'grep',
  'ls',
  'read',
  'write',
]);
