/**
 * The only place that narrows what a host passes in: its API object, the context of each event, and
 * each event's payload.
 *
 * Contract of all functions here: they never throw. A context outlives its session (late events
 * arrive after `session_shutdown`), and its getters then throw; anything unavailable is null or
 * empty. Nothing is stored or modified.
 */
import { disarmLines } from '../disarm.ts';
import { type Entry, type Header, readEntry, readHeader } from '../record/entry.ts';
import {
  asCount,
  asEntryId,
  asList,
  asObject,
  asString,
  asText,
  type JsonObject,
} from '../record/fields.ts';
import { called, failed, guarded } from './host-call.ts';

/** What the extension uses of the `pi` object. */
export interface HostApi {
  on(event: string, handler: (event: unknown, ctx: unknown) => unknown): void;
  registerCommand(
    name: string,
    command: { description: string; handler(args: unknown, ctx: unknown): unknown },
  ): void;
}

/** The tree of one session. */
export interface HostSession {
  readonly id: string;
  header(): Header | null;
  /** Null for a session in memory only. */
  file(): string | null;
  leafId(): string | null;
  entry(id: string): Entry | null;
  /**
   * The nearest entry of one of these types, searching upwards from `fromId` until `stops` returns
   * true.
   */
  climb(
    fromId: string,
    types: ReadonlySet<unknown>,
    stepsMax: number,
    stops: (id: string) => boolean,
  ): Climb;
  /** All entries. The host copies its array for this: 120 us at 10,000 entries. */
  entries(): EntryList;
}

interface Climb {
  readonly entry: Entry | null;
  /** The entry at which `stops` returned true. */
  readonly stoppedAt: string | null;
}

/** In file order. Entries are parsed on access. */
export interface EntryList {
  readonly length: number;
  at(index: number): Entry | undefined;
  idAt(index: number): string | null;
}

export interface HostModel {
  readonly provider: string | null;
  readonly model: string | null;
  readonly windowTokens: number | null;
}

export interface HostAgent {
  readonly kind: 'main' | 'subagent';
  readonly name: string | null;
}

export type Mode = 'tui' | 'print' | 'json' | 'rpc';

export function asHostApi(pi: unknown): HostApi | null {
  const api = asObject(pi);
  return typeof api?.on === 'function' && typeof api.registerCommand === 'function'
    ? (pi as HostApi)
    : null;
}

/** The methods that every handler calls. If one is missing, the call throws, which is guarded. */
type Manager = JsonObject & { getLeafId(): unknown; getEntry(id: string): unknown };

export function sessionOf(ctx: unknown): HostSession | null {
  const manager = guarded(() => asObject(asObject(ctx)?.sessionManager));
  const id = asText(called(manager, 'getSessionId'));
  if (manager === null || id === null) return null;
  return {
    id: id.slice(0, 200),
    header: () => readHeader(called(manager, 'getHeader')),
    file: () => asString(called(manager, 'getSessionFile')),
    leafId: () => guarded(() => asEntryId((manager as Manager).getLeafId())),
    entry: (entryId) => guarded(() => readEntry((manager as Manager).getEntry(entryId))),
    climb: (...climb) => guarded(() => climbed(manager as Manager, ...climb)) ?? nowhere,
    entries: () => listOf(asList(called(manager, 'getEntries'))),
  };
}

/** The current model. Null if there is none yet. */
export function modelOf(ctx: unknown): HostModel | null {
  const model = guarded(() => asObject(asObject(ctx)?.model));
  if (model === null) return null;
  return {
    provider: asText(model.provider),
    model: asText(model.id),
    windowTokens: asCount(model.contextWindow) || null,
  };
}

/**
 * Whether the current model is paid for by a plan (OAuth) instead of an API key. The host looks it
 * up among its credentials.
 */
export function usesOAuth(ctx: unknown): boolean {
  const registry = guarded(() => asObject(asObject(ctx)?.modelRegistry));
  const model = guarded(() => asObject(asObject(ctx)?.model));
  return model !== null && called(registry, 'isUsingOAuth', model) === true;
}

/**
 * The host's estimate. It walks the whole session (milliseconds at 10,000 entries), so it is not
 * for every turn.
 */
export function contextUsageOf(
  ctx: unknown,
): { tokens: number | null; windowTokens: number | null } | null {
  const usage = asObject(called(asObject(ctx), 'getContextUsage'));
  return usage === null
    ? null
    : { tokens: asCount(usage.tokens), windowTokens: asCount(usage.contextWindow) || null };
}

/**
 * pi >= 0.87 ignores the settings of a project that the user does not trust. Other hosts have no
 * such concept.
 */
export function trustsProject(ctx: unknown): boolean {
  return called(asObject(ctx), 'isProjectTrusted') !== false;
}

export function cwdOf(ctx: unknown): string | null {
  return guarded(() => asText(asObject(ctx)?.cwd));
}

/** Null in pi 0.73, which does not report it. */
export function modeOf(ctx: unknown): Mode | null {
  const mode = guarded(() => asObject(ctx)?.mode);
  return mode === 'tui' || mode === 'print' || mode === 'json' || mode === 'rpc' ? mode : null;
}

/** omp >= 18.3 reports the agent of a session. */
export function agentOf(ctx: unknown): HostAgent | null {
  const agent = guarded(() => asObject(asObject(ctx)?.agent));
  if (agent === null) return null;
  return agent.kind === 'sub'
    ? { kind: 'subagent', name: asText(agent.name) }
    : { kind: 'main', name: null };
}

/** Whether the host shows an interface; null when the context is gone. */
export function hasUi(ctx: unknown): boolean | null {
  const has = guarded(() => asObject(ctx)?.hasUI);
  return typeof has === 'boolean' ? has : null;
}

/** Shows a sanitized message in the host's interface. False if that failed. */
export function notify(ctx: unknown, message: string, kind: 'info' | 'warning'): boolean {
  const ui = guarded(() => asObject(asObject(ctx)?.ui));
  return (
    typeof ui?.notify === 'function' && called(ui, 'notify', disarmLines(message), kind) !== failed
  );
}

/** `session_start` (pi), `session_switch` and `session_branch` (omp). */
export function previousSessionFileOf(event: unknown): string | null {
  return asString(asObject(event)?.previousSessionFile);
}

/**
 * The session was just created in this process: by `/new` or a fork (reported by pi and omp), or by
 * omp's branch.
 */
export function beginsSession(event: unknown): boolean {
  const body = asObject(event);
  if (body?.type === 'session_branch') return true;
  const isStart = body?.type === 'session_start' || body?.type === 'session_switch';
  return isStart && (body.reason === 'new' || body.reason === 'fork');
}

export function shutdownReasonOf(event: unknown): string | null {
  return asText(asObject(event)?.reason);
}

/** omp: the agent continues by itself (a retry, a compaction, a queued message). */
export function willContinueOf(event: unknown): boolean {
  return asObject(event)?.willContinue === true;
}

/** `agent_settled` (pi 1.x). */
export function abortedOf(event: unknown): boolean {
  return asObject(event)?.aborted === true;
}

export interface ToolExecution {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly isError: boolean;
}

/** `tool_execution_start` and `tool_execution_end`. */
export function toolExecutionOf(event: unknown): ToolExecution | null {
  const body = asObject(event);
  const toolCallId = asText(body?.toolCallId);
  return toolCallId === null
    ? null
    : {
        toolCallId,
        toolName: asText(body?.toolName) ?? 'unknown',
        isError: body?.isError === true,
      };
}

export interface CompactionNotice {
  readonly entryId: string | null;
  /** `manual`, `threshold`, `overflow`, ...; null if the host does not say. */
  readonly trigger: string | null;
  readonly aborted: boolean;
  readonly willRetry: boolean | null;
  /** Length of the user's instructions for the summary; null if the event does not mention them. */
  readonly instructionsChars: number | null;
  readonly instructions: string | null;
  /** Null if the event does not say. */
  readonly fromExtension: boolean | null;
}

/**
 * `session_before_compact`, `session_compact`, `session_compact_failed` (pi),
 * `auto_compaction_start` (omp).
 */
export function compactionOf(event: unknown): CompactionNotice {
  const body = asObject(event);
  return {
    entryId: asEntryId(asObject(body?.compactionEntry)?.id),
    trigger: asText(body?.reason),
    aborted: body?.aborted === true,
    willRetry: asBoolean(body?.willRetry),
    instructionsChars:
      body !== null && 'customInstructions' in body
        ? (asString(body.customInstructions)?.length ?? 0)
        : null,
    instructions:
      asText(body?.customInstructions) === null ? null : asString(body?.customInstructions),
    fromExtension: asBoolean(body?.fromExtension),
  };
}

/** omp's `auto_compaction_end`: null if it succeeded, or if there was nothing to do. */
export function failedAutoCompactionOf(event: unknown): CompactionNotice | null {
  const body = asObject(event);
  if (asObject(body?.result) !== null || body?.skipped === true) return null;
  return body?.aborted === true || asText(body?.errorMessage) !== null ? compactionOf(event) : null;
}

const nowhere: Climb = { entry: null, stoppedAt: null };

/** Takes thousands of steps in one handler, so it allocates nothing on the way. */
function climbed(
  manager: Manager,
  ...[fromId, types, stepsMax, stops]: Parameters<HostSession['climb']>
): Climb {
  let id: string | null = fromId;
  for (let step = 0; id !== null && step < stepsMax; step += 1) {
    if (stops(id)) return { entry: null, stoppedAt: id };
    const body = asObject(manager.getEntry(id));
    if (body === null || typeof body.type !== 'string' || typeof body.timestamp !== 'string')
      return nowhere;
    if (types.has(body.type)) return { entry: readEntry(body), stoppedAt: null };
    id = asEntryId(body.parentId);
  }
  return nowhere;
}

function asBoolean(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

function listOf(values: readonly unknown[]): EntryList {
  return {
    length: values.length,
    at: (index) => readEntry(values[index]) ?? undefined,
    idAt: (index) => asEntryId(asObject(values[index])?.id),
  };
}
