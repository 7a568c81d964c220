/**
 * The recorder: hooks are triggers, the session's entries are the truth.
 *
 * Each trigger finds the entries not seen yet, and one append writes their events together with
 * what only the live host shows. All entries are scanned only when a session starts, moves in its
 * tree or comes to rest: that finds entries off the leaf's path, and then the session's mark moves.
 *
 * Does not: wait, use the network, throw, or answer the host. A live event that the spool refuses
 * is lost and counted; entries that it refuses are offered again (live/backlog.ts), so the count is
 * an upper bound of the loss.
 */
import type { EventDraft } from '../core/record/draft.ts';
import type { SubagentParent } from '../core/record/entry-draft.ts';
import type { Marks } from '../core/spool/marks.ts';
import type { Spool } from '../core/spool/spool.ts';
import type { Attributor } from './attribution/attribution.ts';
import { beginsSession, readFork, readPreviousSessionFile } from './host/events.ts';
import type { WriteMark } from './host/own-entry.ts';
import type { HostTools } from './host/prompt.ts';
import { type EntryList, type HostSession, readSession } from './host/session.ts';
import { putBack, sliceEntriesMax } from './live/backlog.ts';
import type { RecorderClock } from './live/clock.ts';
import { countDrafts } from './live/count-drafts.ts';
import { createDayTotals, type DayTotals } from './live/day-totals.ts';
import { isCounted, isToolResult } from './live/draft.ts';
import { createDrain } from './live/drain.ts';
import { createHeadWatch } from './live/head-watch.ts';
import { deferEntries, type HookCall, newHookCall, recordEntries } from './live/hook-call.ts';
import { createKnownSessions } from './live/known-sessions.ts';
import { moveMark } from './live/move-mark.ts';
import { isOfPrivate, openSession, starterAmong } from './live/open-session.ts';
import { resolveLeaf } from './live/path-states.ts';
import { beginPrivate, pauseChildren, switchTo } from './live/pausing.ts';
import { passedBefore } from './live/privacy.ts';
import type { AnnounceParent } from './live/process-parent.ts';
import { noteScanned, unseenFrom } from './live/progress.ts';
import { linkUnnamed } from './live/repeated-spend.ts';
import { watchPackageRequests } from './live/request-watch.ts';
import { runHook } from './live/run-hook.ts';
import { findSessionOrigin, hasEarlier } from './live/session-origin.ts';
import type { SessionState } from './live/session-state.ts';
import { emitStart } from './live/start.ts';
import type { Cause } from './live/starter.ts';
import { noDrops, type RecorderDeps } from './live/steps.ts';
import type { Trigger } from './live/triggers.ts';

/** One evaluation of the extension's factory: it serves one session at a time, and knows which. */
export interface Attachment {
  sessionId: string | null;
  readonly tools?: HostTools;
  /** Absent or null: the host keeps no entries of extensions. */
  readonly writeMark?: WriteMark | null;
}

export interface Recorder {
  /**
   * Contract: synchronous, never throws (a failure is counted), at most one append. `event` and
   * `ctx` come from the host unchecked.
   */
  handle(trigger: Trigger, event: unknown, ctx: unknown, attachment: Attachment): void;
  /**
   * Pauses or resumes the recording of the context's session. False if the host cannot write that
   * into the session. Contract: as `handle`.
   */
  switchTo(state: 'paused' | 'resumed', ctx: unknown, attachment: Attachment): boolean;
  /** Sessions that this process has seen, least recently used first. Owned by the recorder. */
  sessions(): readonly SessionState[];
  /** All sessions of this process count, those included that are no longer known. */
  readonly days: Pick<DayTotals, 'of'>;
}

export interface RecorderOptions {
  readonly spool: Pick<Spool, 'append' | 'countRecordFailure' | 'drops' | 'bytes'>;
  readonly marks: Marks;
  readonly attributor: Attributor;
  readonly clock: RecorderClock;
  readonly runEnd: RecorderDeps['runEnd'];
  readonly hostName: RecorderDeps['hostName'];
  readonly settings: RecorderDeps['settings'];
  /** The parent, if this process is a subagent. */
  readonly parent: SubagentParent | null;
  /** It is a subagent of a private stretch: sessions that begin here begin paused. */
  readonly isPrivate?: boolean;
  readonly announceParent: AnnounceParent;
  readonly contents: RecorderDeps['contents'];
  readonly watchRequests?: Parameters<typeof watchPackageRequests>[0];
  /** Something was appended, or could not be: time to ship. */
  wake(): void;
}

export function createRecorder(options: RecorderOptions): Recorder {
  const { spool, marks, clock, contents, watchRequests = null } = options;
  const known = createKnownSessions();
  const days = createDayTotals();
  const failed = () => spool.countRecordFailure();
  const later = { append: spool.append, clock, onAppended: appended, onFailure: failed };
  const drain = createDrain({ ...later, contents });
  const heads = createHeadWatch({ ...later, headOf: options.attributor.headOf });
  const requests = watchPackageRequests(watchRequests, clock, known.all, failed);
  const reported = { drops: noDrops, isPrivate: false };
  const deps: RecorderDeps = { ...options, heads, requests, reported };

  function handle(trigger: Trigger, event: unknown, ctx: unknown, attachment: Attachment): void {
    try {
      const call = begin({ trigger, event }, ctx, attachment);
      if (call === null) return;
      // Whatever fails in a hook, entries that it recorded before are appended: they count as seen.
      try {
        runHook(trigger, call, event, deps);
      } finally {
        finish(call);
      }
      if (trigger === 'session_shutdown') endSession(call);
    } catch {
      failed();
    }
  }

  function turn(to: 'paused' | 'resumed', ctx: unknown, attachment: Attachment): boolean {
    const call = begin({ trigger: null, event: null }, ctx, attachment);
    if (call === null) return false;
    try {
      if (!switchTo(call, deps, to)) return false;
    } finally {
      finish(call);
    }
    if (to === 'paused') pauseChildren(call.state, known.all());
    return true;
  }

  function begin(cause: Cause, ctx: unknown, attachment: Attachment): HookCall | null {
    const host = readSession(ctx);
    attachment.sessionId = host?.id ?? attachment.sessionId;
    const state = known.get(attachment.sessionId ?? '');
    if (state === undefined) return host === null ? null : open(host, cause, ctx, attachment);
    known.use(state);
    state.writeMark = attachment.writeMark ?? null;
    const call = newHookCall(state, ctx, host, attachment.tools ?? null);
    state.previousFile = readPreviousSessionFile(cause.event) ?? state.previousFile;
    if (state.attribution === null && host !== null && state.privacy !== 'paused')
      emitStart(call, deps);
    return call;
  }

  /** The first sight of a session; some of its entries may already be new. */
  function open(host: HostSession, cause: Cause, ctx: unknown, attachment: Attachment): HookCall {
    const entries = host.entries();
    const starter = starterAmong(known.all(), host.header(), cause);
    const state = openSession(host, entries, {
      sessions: known.all(),
      parent: options.parent,
      starter,
      openedMonotonicMs: clock.monotonicMs(),
      contents,
    });
    const mark = state.file === null ? null : marks.read(state.id);
    const origin = findSessionOrigin({
      header: state.header,
      entries,
      mark,
      isNew: beginsSession(cause.event),
      processStartMs: clock.processStartMs,
    });
    const call = newHookCall(state, ctx, host, attachment.tools ?? null);
    state.markedEntryId = mark?.entryId ?? null;
    state.previousFile = readPreviousSessionFile(cause.event);
    state.owesStart = origin.kind === 'begun';
    if (state.owesStart && state.file !== null && mark === null)
      marks.write(state.id, { entryId: null, timestamp: null });
    known.use(state);
    state.writeMark = attachment.writeMark ?? null;
    const isPrivate =
      options.isPrivate ||
      isOfPrivate(state, known.all(), { starter, fork: readFork(cause.event) });
    if (!isPrivate && state.privacy !== 'paused') emitStart(call, deps);
    catchUp(call, entries, origin.newFrom);
    if (isPrivate) beginPrivate(call, deps);
    return call;
  }

  /** A few entries are recorded at once; a long history goes to the backlog, and waits. */
  function catchUp(call: HookCall, entries: EntryList, newFrom: number): void {
    const { state } = call;
    passedBefore(state, entries, newFrom);
    state.hasEarlier = hasEarlier(state.header, entries, newFrom);
    for (let index = 0; index < newFrom; index += 1) state.seen.add(entries.idAt(index) ?? '');
    const fresh = unseenFrom(state, entries, newFrom);
    if (fresh.length <= sliceEntriesMax) recordEntries(call, fresh, failed);
    else putBack(state, deferEntries(call, fresh));
    noteScanned(state, entries);
    if (call.host !== null) resolveLeaf(state, call.host);
    call.scannedTo = entries.at(entries.length - 1) ?? null;
    drain.soon(state);
  }

  function finish(call: HookCall): void {
    const { state, drafts, entries, later } = call;
    if (later.length > 0) putBack(state, later);
    if (drafts.some(isToolResult)) drafts.push(...linkUnnamed(call, known.all()));
    if (drafts.length > 0 && !spool.append(drafts)) {
      state.wasRefused = true;
      putBack(state, entries);
      options.wake();
      return;
    }
    if (drafts.length > 0) confirm(call);
    if (!state.wasRefused) drain.soon(state);
    moveMark(call, marks);
  }

  function confirm(call: HookCall): void {
    const { state } = call;
    appended(state, call.drafts);
    if (call.attribution !== null) {
      state.attribution = call.attribution;
      state.owesStart = false;
    }
    if (call.head !== null) state.head = call.head;
    call.onAppended?.();
    if (call.context !== null) state.reportedContext = call.context;
    if (call.drops !== null) deps.reported.drops = call.drops;
    if (state.wasRefused) drain.soon(state);
  }

  function appended(state: SessionState, drafts: readonly EventDraft[]): void {
    if (drafts.some(isCounted)) countDrafts(state, drafts, known.all(), days);
    options.wake();
  }

  function endSession(call: HookCall): void {
    drain.atEnd(call.state);
    moveMark(call, marks);
    requests.end();
  }

  return {
    handle,
    switchTo(...to) {
      try {
        return turn(...to);
      } catch {
        failed();
        return false;
      }
    },
    sessions: known.all,
    days,
  };
}
