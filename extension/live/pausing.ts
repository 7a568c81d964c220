/**
 * Pausing and resuming the recording of a session, which entries of ours in its file say
 * (record/privacy.ts). While it is paused, entries are passed over and hooks do nothing else.
 */
import { copiedCount } from '../../core/record/copied.ts';
import type { Header } from '../../core/record/entry.ts';
import {
  isPrivate,
  type Privacy,
  type PrivacyMark,
  privacyAt,
  readMark,
} from '../../core/record/privacy.ts';
import type { EntryList, HostSession } from '../host/session.ts';
import type { HookCall } from './hook-call.ts';
import { announce } from './privacy.ts';
import { pathEntriesMax } from './progress.ts';
import type { SessionState } from './session-state.ts';
import { type RecorderDeps, scan, walk } from './steps.ts';

/**
 * Writes an entry of ours and records what it means. False if the host cannot write one; nothing
 * has changed then.
 */
export function switchTo(call: HookCall, deps: RecorderDeps, to: PrivacyMark['state']): boolean {
  const { state, host } = call;
  if (host === null) return false;
  rescan(call, deps);
  const hidden = hiddenEntries(state.header, host.entries());
  const data = to === 'paused' ? { state: to } : { state: to, entries: hidden };
  if (!writeMark(state, host, data)) return false;
  rescan(call, deps);
  forgetWhatGoesOn(state);
  deps.requests.forgetPrivate();
  announce(call, deps);
  return true;
}

/** A subagent or a fork of a private stretch; where no entry can be written, in memory only. */
export function beginPrivate(call: HookCall, deps: RecorderDeps): void {
  const { state } = call;
  if (state.privacy !== 'paused' && !switchTo(call, deps, 'paused')) state.privacy = 'paused';
}

/** A hook of a paused session: only says what is seen. `isWhole`: it may have moved. */
export function passOver(call: HookCall, deps: RecorderDeps, isWhole: boolean): void {
  if (isWhole) scan(call, deps);
  else walk(call, deps);
  announce(call, deps);
}

/** Each path says by itself what holds at its end, because a fork copies one path. */
export function keepMarked(call: HookCall, deps: RecorderDeps): void {
  const { state, host } = call;
  if (!state.hasMarks || host === null) return;
  const now = state.privacy === 'paused' ? 'paused' : 'resumed';
  if (stateOnPath(host) === now || !writeMark(state, host, { state: now })) return;
  rescan(call, deps);
}

/** Subagents of a paused session are private too, from here to their end. */
export function pauseChildren(parent: SessionState, sessions: readonly SessionState[]): void {
  const found = new Set([parent]);
  for (const { id } of found) {
    for (const session of sessions)
      if (session.parentage.parentSessionId === id) found.add(session);
  }
  found.delete(parent);
  for (const child of found) if (!child.isOver && child.privacy !== 'paused') pauseChild(child);
}

/** Where no entry can be written, in memory only. */
function pauseChild(child: SessionState): void {
  child.isMarkDue = child.writeMark?.({ state: 'paused' }) === true;
  if (!child.isMarkDue) child.privacy = 'paused';
  forgetWhatGoesOn(child);
}

/** How many of the session's own entries are private since it was paused. */
export function hiddenEntries(header: Header | null, entries: EntryList): number {
  const ownFrom = copiedCount(header, entries);
  let privacy: Privacy = 'none';
  let hidden = 0;
  for (let index = 0; index < entries.length; index += 1) {
    const entry = entries.at(index);
    if (entry === undefined) continue;
    const before = privacy;
    privacy = privacyAt(privacy, entry);
    if (before !== 'paused' && privacy === 'paused') hidden = 0;
    if (index >= ownFrom && isPrivate(privacy, entry)) hidden += 1;
  }
  return hidden;
}

function rescan(call: HookCall, deps: RecorderDeps): void {
  call.scannedTo = null;
  scan(call, deps);
}

/** A host may take an entry and not keep it. */
function writeMark(
  { writeMark: write }: SessionState,
  host: HostSession,
  data: Readonly<Record<string, unknown>>,
): boolean {
  if (write === null || !write(data)) return false;
  const leaf = host.entry(host.leafId() ?? '');
  return leaf !== null && readMark(leaf)?.state === data.state;
}

function stateOnPath(host: HostSession): PrivacyMark['state'] {
  let id = host.leafId();
  while (id !== null) {
    const { entry } = host.climb(id, customEntries, pathEntriesMax, () => false);
    const mark = entry === null ? null : readMark(entry);
    if (mark !== null) return mark.state;
    id = entry?.parentId ?? null;
  }
  return 'resumed';
}

const customEntries: ReadonlySet<unknown> = new Set(['custom']);

/** What began before or in a private stretch has no end that could be told. */
function forgetWhatGoesOn(state: SessionState): void {
  state.run = null;
  state.unsampledTokens = null;
  state.request = null;
  state.untimedTurn = null;
  state.retryingSinceMs = null;
  state.toolStarts.clear();
  state.waits.clear();
  state.compaction = null;
  state.automatic = null;
}
