/**
 * Requests that packages send to the host's models beside the session: background summaries, side
 * questions, sampling. They leave no entry, and nothing says what they cost; how many there were
 * can be told. What entries explain is taken off the answered requests of this process; the rest is
 * said when no session of it is at work.
 *
 * An entry explains requests of its own time, so no retry, abort or summary of the host is taken
 * for a package's:
 *
 * - an answer: one request; an attempt that reported nothing: one since it began, if any;
 * - a summary: all since the host began it, retries included, for no other entry tells of them. One
 *   that an extension made and that has no usage: one;
 * - the result of a tool with usage or claims of subagents: all since the answer that called it;
 * - any other entry with usage: one.
 *
 * Times are those of entries: hosts may report the beginning of a turn or a tool late, while a slow
 * handler of another extension runs.
 */
import type { EventDraft } from '../../core/record/draft.ts';
import { entryRole, parseTimeMs } from '../../core/record/entry.ts';
import { asObject } from '../../core/record/fields.ts';
import { readModelOrigin, readModelOrigins } from '../host/model-origins.ts';
import type { RequestListener } from '../host/request-channel.ts';
import type { RecorderClock } from './clock.ts';
import { liveDraft } from './draft.ts';
import type { HookCall, SeenEntry } from './hook-call.ts';
import { type AnsweredRequest, createRequestBook } from './request-book.ts';
import type { SessionState } from './session-state.ts';

export interface PackageRequests extends Pick<RequestListener, 'sent' | 'answered'> {
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

/** Wall clocks have a resolution of 1 ms. */
const clockGrainMs = 1;

/** `sessions`: of this process, least recently used first. */
export function createPackageRequests(
  clock: RecorderClock,
  sessions: () => readonly SessionState[],
): PackageRequests {
  const book = createRequestBook();

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
    book.keepModels(() => readModelOrigins(call.ctx));
    book.explain({ sinceMonotonicMs, most, origin: readModelOrigin(call.ctx) });
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

  function explainEntry(call: HookCall, { entry, drafts }: SeenEntry): void {
    const { state } = call;
    const role = entryRole(entry);
    if (role === 'assistant') state.answeredAtMs = parseTimeMs(entry.timestamp);
    if (entry.type === 'compaction' || entry.type === 'branch_summary')
      explainSummary(call, entry.body.fromHook === true && asObject(entry.body.usage) === null);
    else if (!drafts.some(tellsSpend)) return;
    else if (role === 'toolResult') explainAll(call, monotonicAt(state.answeredAtMs));
    else explainSince(call, monotonicAt(attemptedAtMs(drafts)), 1);
  }

  function monotonicAt(atMs: number | null): number {
    return atMs === null ? always : clock.monotonicMs() - (clock.nowMs() - atMs) - clockGrainMs;
  }

  return {
    sent,
    answered: book.add,
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
      // A closed session may have entries that nobody shows any more.
      if (call.host === null || !book.hasAny() || sessions().some(isAtWork)) return;
      if (!book.keepModels(() => readModelOrigins(call.ctx))) return;
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

/** When an attempt that reported nothing was begun: it may have had no answer. Null for others. */
function attemptedAtMs(drafts: readonly EventDraft[]): number | null {
  const turn = drafts.find((draft) => draft.type === 'pi.turn.completed.v1');
  return turn === undefined || turn.data.spend.reported ? null : turn.data.requestedAtMs;
}

function tellsSpend({ type, data }: EventDraft): boolean {
  return type === 'pi.subagent.claimed.v1' || ('spend' in data && data.spend !== null);
}
