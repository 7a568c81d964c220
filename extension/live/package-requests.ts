/**
 * Requests that packages send to the host's models beside the session: background summaries, side
 * questions, sampling. They leave no entry, and nothing says what they cost; how many there were
 * can be told. What entries explain is taken off the answered requests of this process; the rest is
 * said when no session of it is at work.
 *
 * An entry explains requests of its own time, so no retry, abort or summary of the host is taken
 * for a package's:
 *
 * - an answer, or a failed or aborted attempt: one request since its turn began;
 * - a summary: all since the host began it, retries included, for no other entry tells of them. One
 *   that an extension made and that has no usage: one;
 * - the result of a tool with usage or claims of subagents: all since the tool began;
 * - any other entry with usage: one.
 */
import { modelOriginOf, modelOriginsOf } from '../host/model-origins.ts';
import type { WatchRequests } from '../host/request-channel.ts';
import type { EventDraft } from '../record/draft.ts';
import { type Entry, messageOf, roleOf } from '../record/entry.ts';
import { asObject, asText } from '../record/fields.ts';
import type { RecorderClock } from './clock.ts';
import { liveDraft } from './draft.ts';
import type { HookCall, SeenEntry } from './hook-call.ts';
import { type AnsweredRequest, createRequestBook } from './request-book.ts';
import type { SessionState } from './session-state.ts';

export interface PackageRequests {
  /** Listens, unless it does already. */
  begin(): void;
  /** Listens no more, once all sessions are over. */
  end(): void;
  startTool(toolCallId: string): void;
  /** The host asks for a summary. */
  startSummary(state: SessionState): void;
  /** It made none, or does not say so: what was asked since is its own. */
  abandonSummary(call: HookCall): void;
  explain(call: HookCall, seen: readonly SeenEntry[]): void;
  /** A private stretch has begun: what its session has sent will have no entry. */
  forgetPrivate(): void;
  /** If no session is at work, adds what is to be said to the append of this call. */
  say(call: HookCall): void;
}

/** Calls that never end (the host was killed) must not accumulate. */
const toolStartsMax = 512;

/**
 * `watch`: null where nothing tells of requests. `sessions`: of this process, least recently used
 * first.
 */
export function createPackageRequests(
  watch: WatchRequests | null,
  clock: RecorderClock,
  sessions: () => readonly SessionState[],
  onFailure: () => void,
): PackageRequests {
  const book = createRequestBook();
  const toolStarts = new Map<string, number>();
  let stop: (() => void) | null = null;

  function sent(origin: string): AnsweredRequest | null {
    const session = sessions().at(-1);
    if (session === undefined || session.privacy === 'paused') return null;
    return {
      session,
      origin,
      sentAtMs: clock.nowMs(),
      sentMonotonicMs: clock.monotonicMs(),
    };
  }

  function forgetPrivate(): void {
    for (const state of sessions()) if (state.privacy === 'paused') book.forget(state);
  }

  function explainSince(call: HookCall, sinceMonotonicMs: number, most: number): void {
    if (!book.hasAny()) return;
    book.keepModels(() => modelOriginsOf(call.ctx));
    book.explain({ sinceMonotonicMs, most, origin: modelOriginOf(call.ctx) });
  }

  function explainAll(call: HookCall, sinceMonotonicMs: number): void {
    explainSince(call, sinceMonotonicMs, Number.POSITIVE_INFINITY);
    book.close({ sinceMonotonicMs, untilMonotonicMs: clock.monotonicMs() });
  }

  function explainSummary(call: HookCall, isUnreported: boolean): void {
    const { state } = call;
    const since = state.summarySinceMs;
    state.summarySinceMs = null;
    if (isUnreported || since === null) explainSince(call, always, 1);
    else explainAll(call, since);
  }

  function explainResult(call: HookCall, { entry, drafts }: SeenEntry): void {
    const toolCallId = asText(messageOf(entry).toolCallId) ?? '';
    const since = toolStarts.get(toolCallId);
    toolStarts.delete(toolCallId);
    if (!drafts.some(tellsSpend)) return;
    if (since === undefined) explainSince(call, always, 1);
    else explainAll(call, since);
  }

  function explainEntry(call: HookCall, seen: SeenEntry): void {
    const { entry, drafts } = seen;
    if (entry.type === 'compaction' || entry.type === 'branch_summary')
      explainSummary(call, entry.body.fromHook === true && asObject(entry.body.usage) === null);
    else if (roleOf(entry) === 'toolResult') explainResult(call, seen);
    else if (drafts.some(tellsSpend)) explainSince(call, turnStart(call.state, entry) ?? always, 1);
  }

  return {
    begin() {
      stop ??= watch?.({ sent, answered: book.add, failed: onFailure }) ?? null;
    },
    end() {
      if (sessions().some(({ isOver }) => !isOver)) return;
      stop?.();
      stop = null;
    },
    startTool(toolCallId) {
      const [oldest] = toolStarts.keys();
      if (toolStarts.size >= toolStartsMax && oldest !== undefined) toolStarts.delete(oldest);
      toolStarts.set(toolCallId, clock.monotonicMs());
    },
    startSummary(state) {
      // pi 0.73 may begin a second one before it gives up the first.
      state.summarySinceMs ??= clock.monotonicMs();
    },
    abandonSummary(call) {
      if (call.state.summarySinceMs !== null) explainSummary(call, false);
    },
    explain(call, seen) {
      for (const each of seen) explainEntry(call, each);
    },
    forgetPrivate,
    say(call) {
      forgetPrivate();
      if (!book.hasAny() || sessions().some(isAtWork)) return;
      if (!book.keepModels(() => modelOriginsOf(call.ctx))) return;
      const { sayings, confirm } = book.say();
      for (const { session, atMs, ...data } of sayings)
        call.drafts.push(liveDraft('pi.requests.observed.v1', session.id, atMs, data));
      call.onAppended = () => {
        confirm();
        for (const { session, unexplained, explainedLater } of sayings)
          session.packageRequests += unexplained - explainedLater;
      };
    },
  };
}

const always = Number.NEGATIVE_INFINITY;

function isAtWork({ run, summarySinceMs }: SessionState): boolean {
  return run !== null || summarySinceMs !== null;
}

function turnStart({ request }: SessionState, entry: Entry): number | null {
  return roleOf(entry) === 'assistant' ? (request?.startedMonotonicMs ?? null) : null;
}

function tellsSpend({ type, data }: EventDraft): boolean {
  return type === 'pi.subagent.claimed.v1' || ('spend' in data && data.spend !== null);
}
