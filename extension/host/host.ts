/**
 * A host's API object and the context of its events. What a host passes in is narrowed in this
 * folder and nowhere else: the session in session.ts, payloads in events.ts and beside it.
 *
 * Contract of all functions here: they never throw. A context outlives its session (late events
 * arrive after `session_shutdown`), and its getters then throw; anything unavailable is null or
 * empty. Nothing is stored or modified.
 */

import { asCount, asObject, asText } from '../../core/record/fields.ts';
import { sanitizeLine, sanitizeText } from '../../core/text/sanitize.ts';
import { called, failed, guarded } from './host-call.ts';

/** What the extension uses of the `pi` object. */
export interface HostApi {
  on(event: string, handler: (event: unknown, ctx: unknown) => unknown): void;
  registerCommand(
    name: string,
    command: {
      description: string;
      /** Completes what is typed after the name. Returns null if nothing fits. */
      getArgumentCompletions?(typed: unknown): readonly object[] | null;
      handler(args: unknown, ctx: unknown): unknown;
    },
  ): void;
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

/** The current model. Null if there is none yet. */
export function readModel(ctx: unknown): HostModel | null {
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
export function readContextUsage(
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

export function readCwd(ctx: unknown): string | null {
  return guarded(() => asText(asObject(ctx)?.cwd));
}

/** Returns null in pi 0.73, which does not report it. */
export function readMode(ctx: unknown): Mode | null {
  const mode = guarded(() => asObject(ctx)?.mode);
  return mode === 'tui' || mode === 'print' || mode === 'json' || mode === 'rpc' ? mode : null;
}

/** omp >= 18.3 reports the agent of a session. */
export function readAgent(ctx: unknown): HostAgent | null {
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
    typeof ui?.notify === 'function' && called(ui, 'notify', sanitizeText(message), kind) !== failed
  );
}

/** One line of ours in the footer of the host's interface; null takes it away. False: it failed. */
export function setStatus(ctx: unknown, key: string, text: string | null): boolean {
  const ui = guarded(() => asObject(asObject(ctx)?.ui));
  const line = text === null ? undefined : sanitizeLine(text);
  return typeof ui?.setStatus === 'function' && called(ui, 'setStatus', key, line) !== failed;
}

/** Stops the current run; the host records it as aborted. */
export function abortRun(ctx: unknown): void {
  settled(called(asObject(ctx), 'abort'));
}

/** Asks the host to end its process when it is idle. Hosts do so in RPC mode, else nothing. */
export function shutDown(ctx: unknown): void {
  settled(called(asObject(ctx), 'shutdown'));
}

/** A rejection that nobody handles would end the host. */
function settled(answer: unknown): void {
  Promise.resolve(answer).catch(() => undefined);
}
