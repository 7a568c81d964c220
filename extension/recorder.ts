/**
 * The recorder: hooks are triggers, the session's entries are the truth.
 *
 * Each trigger finds the entries not seen yet, and one append writes their events together with
 * what only the live host shows. Walking from the leaf up to the last seen entry is short. All
 * entries are scanned only when a session starts, moves in its tree or comes to rest: that finds
 * entries off the leaf's path, and then the session's mark moves.
 *
 * Does not: wait, use the network, throw, or answer the host. A live event that the spool refuses
 * is lost and counted; entries that it refuses are offered again (live/backlog.ts), so the count is
 * an upper bound of the loss.
 */
import type { Attributor } from './attribution/attribution.ts';
import { parentageOf } from './attribution/parentage.ts';
import { beginsSession, previousSessionFileOf } from './host/events.ts';
import type { HostTools } from './host/prompt.ts';
import { type EntryList, type HostSession, sessionOf } from './host/session.ts';
import { putBack, sliceEntriesMax } from './live/backlog.ts';
import type { RecorderClock } from './live/clock.ts';
import { createDrain } from './live/drain.ts';
import { createHeadWatch } from './live/head-watch.ts';
import { deferEntries, type HookCall, newHookCall, recordEntries } from './live/hook-call.ts';
import { createKnownSessions } from './live/known-sessions.ts';
import { resolveLeaf } from './live/path-states.ts';
import type { AnnounceParent } from './live/process-parent.ts';
import { noteScanned, unseenFrom } from './live/progress.ts';
import { sessionOriginOf } from './live/session-origin.ts';
import { newSessionState, type OpenedSession, type SessionState } from './live/session-state.ts';
import { attribute, type RecorderDeps } from './live/steps.ts';
import { addDraft } from './live/totals.ts';
import { hooks, type Trigger } from './live/triggers.ts';
import { storeWeight } from './live/weights.ts';
import type { EventDraft } from './record/draft.ts';
import type { SubagentParent } from './record/entry-draft.ts';
import { asText } from './record/fields.ts';
import { recordSessionStarted } from './record/session.ts';
import type { Marks } from './spool/marks.ts';
import type { Drops, Spool } from './spool/spool.ts';

/**
 * One evaluation of the extension's factory, which serves one session at a time and remembers
 * which.
 */
export interface Attachment {
  sessionId: string | null;
  readonly tools?: HostTools;
}

export interface Recorder {
  /**
   * Contract: synchronous, never throws (a failure is counted), at most one append. `event` and
   * `ctx` come from the host unchecked.
   */
  handle(trigger: Trigger, event: unknown, ctx: unknown, attachment: Attachment): void;
  /** Sessions that this process has seen, least recently used first. Owned by the recorder. */
  sessions(): readonly SessionState[];
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
  readonly announceParent: AnnounceParent;
  readonly contents: RecorderDeps['contents'];
  /** Something was appended, or could not be: time to ship. */
  wake(): void;
}

export function createRecorder(options: RecorderOptions): Recorder {
  const { spool, marks, clock, contents } = options;
  const known = createKnownSessions();
  const failed = () => spool.countRecordFailure();
  const later = { append: spool.append, clock, onAppended: appended, onFailure: failed };
  const drain = createDrain({ ...later, contents });
  const heads = createHeadWatch({ ...later, headOf: options.attributor.headOf });
  const deps: RecorderDeps = { ...options, heads, reported: { drops: noDrops } };

  function handle(trigger: Trigger, event: unknown, ctx: unknown, attachment: Attachment): void {
    try {
      const call = begin(event, ctx, attachment);
      if (call === null) return;
      // Whatever fails in a hook, entries that it recorded before are appended: they count as seen.
      try {
        hooks[trigger](call, event, deps);
      } finally {
        finish(call);
      }
      if (trigger === 'session_shutdown') endSession(call);
    } catch {
      failed();
    }
  }

  function begin(event: unknown, ctx: unknown, attachment: Attachment): HookCall | null {
    const host = sessionOf(ctx);
    attachment.sessionId = host?.id ?? attachment.sessionId;
    const state = known.get(attachment.sessionId ?? '');
    if (state === undefined) return host === null ? null : open(host, event, ctx, attachment);
    known.use(state);
    const call = newHookCall(state, ctx, host, attachment.tools ?? null);
    state.previousFile = previousSessionFileOf(event) ?? state.previousFile;
    if (state.attribution === null && host !== null) emitStart(call);
    return call;
  }

  /** The first sight of a session; some of its entries may already be new. */
  function open(host: HostSession, event: unknown, ctx: unknown, attachment: Attachment): HookCall {
    const entries = host.entries();
    const state = newSessionState(openedSession(host, entries));
    const mark = state.file === null ? null : marks.read(state.id);
    const origin = sessionOriginOf({
      header: state.header,
      entries,
      mark,
      isNew: beginsSession(event),
      processStartMs: clock.processStartMs,
    });
    const call = newHookCall(state, ctx, host, attachment.tools ?? null);
    state.markedEntryId = mark?.entryId ?? null;
    state.previousFile = previousSessionFileOf(event);
    state.owesStart = origin.kind === 'begun';
    if (state.owesStart && state.file !== null && mark === null)
      marks.write(state.id, { entryId: null, timestamp: null });
    known.use(state);
    emitStart(call);
    catchUp(call, entries, origin.newFrom);
    return call;
  }

  function openedSession(host: HostSession, entries: EntryList): OpenedSession {
    const [header, file, agentName] = [host.header(), host.file(), agentNameIn(entries)];
    const parentage = parentageOf({
      file,
      header,
      agentName,
      sessions: known.all(),
      ofProcess: options.parent,
    });
    const contentOf = contents === null ? null : contents.of;
    return {
      id: host.id,
      header,
      file,
      agentName,
      parentage,
      openedMonotonicMs: clock.monotonicMs(),
      contentOf,
    };
  }

  /**
   * A few entries are recorded at once; a long history goes to the backlog, so that it does not
   * hold up the host.
   */
  function catchUp(call: HookCall, entries: EntryList, newFrom: number): void {
    const { state } = call;
    for (let index = 0; index < newFrom; index += 1) state.seen.add(entries.idAt(index) ?? '');
    const fresh = unseenFrom(state, entries, newFrom);
    if (fresh.length <= sliceEntriesMax) recordEntries(call, fresh, failed);
    else putBack(state, deferEntries(call, fresh));
    noteScanned(state, entries);
    if (call.host !== null) resolveLeaf(state, call.host);
    call.scannedTo = entries.at(entries.length - 1) ?? null;
    drain.soon(state);
  }

  /** What must precede a session's first usage. Repeated until the spool accepts it. */
  function emitStart(call: HookCall): void {
    const { header, owesStart } = call.state;
    if (owesStart && header !== null) call.drafts.push(recordSessionStarted(header));
    attribute(call, deps);
  }

  function finish(call: HookCall): void {
    const { state, drafts, entries, later } = call;
    if (later.length > 0) putBack(state, later);
    if (drafts.length > 0 && !spool.append(drafts)) {
      state.wasRefused = true;
      putBack(state, entries);
      options.wake();
      return;
    }
    if (drafts.length > 0) confirm(call);
    if (!state.wasRefused) drain.soon(state);
    moveMark(call);
  }

  function confirm(call: HookCall): void {
    const { state } = call;
    appended(state, call.drafts);
    if (call.attribution !== null) {
      state.attribution = call.attribution;
      state.owesStart = false;
    }
    if (call.head !== null) state.head = call.head;
    if (call.context !== null) state.reportedContext = call.context;
    if (call.drops !== null) deps.reported.drops = call.drops;
    if (state.wasRefused) drain.soon(state);
  }

  function appended(state: SessionState, drafts: readonly EventDraft[]): void {
    for (const draft of drafts) {
      addDraft(state.totals, draft, state.billing);
      storeWeight(state.weights, draft);
    }
    options.wake();
  }

  /** A mark says that everything up to this entry, in file order, is recorded. */
  function moveMark({ state, scannedTo }: HookCall): void {
    const isComplete = state.backlog.length === 0 && !state.hasGap && !state.owesStart;
    if (
      scannedTo === null ||
      state.file === null ||
      !isComplete ||
      scannedTo.id === state.markedEntryId
    )
      return;
    const mark = { entryId: scannedTo.id, timestamp: scannedTo.timestamp };
    if (marks.write(state.id, mark)) state.markedEntryId = scannedTo.id;
  }

  function endSession(call: HookCall): void {
    drain.atEnd(call.state);
    moveMark(call);
  }

  return { handle, sessions: known.all };
}

const noDrops: Drops = { spoolFull: 0, spoolUnwritable: 0, eventTooLarge: 0, recordFailed: 0 };

/** omp records near the top of a subagent's session which agent it is. */
function agentNameIn(entries: EntryList): string | null {
  for (let index = 0; index < Math.min(entries.length, 20); index += 1) {
    const entry = entries.at(index);
    if (entry?.type === 'session_init') return asText(entry.body.agent);
  }
  return null;
}
