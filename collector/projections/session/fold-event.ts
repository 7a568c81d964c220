/**
 * What one event changes in a session's document, and what it emits. Changes the state in place and
 * is otherwise pure.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import { negated } from '../amount.ts';
import type { Emit } from '../projection.ts';
import { withoutTotals } from '../totals.ts';
import { addAgent, removeAgent } from './agents.ts';
import { addAsker, nameAsker } from './askers.ts';
import {
  addAccount,
  addClaim,
  addLink,
  type ChildLink,
  type NewAccount,
  type NewClaim,
  removeClaim,
  removeLink,
} from './claims.ts';
import { addCopy } from './copies.ts';
import type { SessionEnded, SessionState, Started } from './document.ts';
import { countEntry, spentBy } from './entries.ts';
import { movedEntry } from './moved.ts';
import { concerned } from './notes/concerned.ts';
import type { NoteType } from './notes/notes.ts';
import { type Counting, moveSpend } from './regroup.ts';
import { addRequests } from './requests.ts';
import { shortKey, shortRef } from './room.ts';
import { addEstimate, addSpend, addUnpriced, coarsen } from './spending.ts';
import { addStreamed } from './streamed.ts';
import { addSwitch, removeSwitch } from './switches.ts';
import { withAttribution, withNoted } from './timeline.ts';
import { countTool, uncountTool } from './tools.ts';

export interface SessionLimits {
  /** Beyond it, the newest are kept. */
  readonly attributionsMax: number;
  /** Beyond it, cells of a minute become cells of a quarter of an hour. */
  readonly cellsMax: number;
  /**
   * Beyond it, quarters of an hour become hours. At as many hours (years of work in one session, or
   * made-up times), further spend of the session is set aside.
   */
  readonly longCellsMax: number;
  /** Beyond it, the alphabetically last are counted as one. */
  readonly toolNamesMax: number;
  /** Subagents' claims and their keys. Beyond it, only their sums are compared. */
  readonly claimsMax: number;
  /** Beyond it, the alphabetically last are left out. */
  readonly copiesMax: number;
}

export function see(state: SessionState, time: string): void {
  if (state.firstSeenAt === '' || time < state.firstSeenAt) state.firstSeenAt = time;
  if (time > state.lastSeenAt) state.lastSeenAt = time;
}

/** Its `totals` stay: they follow the log's order and never decrease. */
export function move(
  state: SessionState,
  event: LedgerEvent<'pi.entry.moved.v1'>,
  emit: Emit,
  limits: SessionLimits,
): void {
  const { role } = event.data;
  if (role === 'in') evolve(state, movedEntry(event), withoutTotals(emit), limits);
  else if (role === 'out') withdraw(state, movedEntry(event), emit, limits);
}

/** Events of other types only update when the session was seen. */
export function evolve(
  state: SessionState,
  event: LedgerEvent,
  emit: Emit,
  limits: SessionLimits,
): void {
  const { counts } = state;
  const counting = startCounting(state, emit);
  const spent = spentBy(event);
  if (spent?.is !== 'unpriced') countEntry(counts, event, 1);
  switch (event.type) {
    case 'pi.turn.completed.v1':
      ask(state, event, counting);
      break;
    case 'pi.subagent.accounted.v1':
      addAccount(state.claims, shortAccount(event), counting, limits.claimsMax);
      break;
    case 'pi.subagent.linked.v1':
      addLink(state.claims, shortLink(event), counting, limits.claimsMax);
      addAgent(state.agents, shortLink(event));
      break;
    case 'pi.requests.observed.v1':
      addRequests(counting, event);
      boundCells(counting, limits);
      break;
    case 'pi.answer.streamed.v1':
      addStreamed(state.streamed, event, counting);
      boundCells(counting, limits);
      break;
    case 'pi.session.copied.v1':
      counts.copies += 1;
      addCopy(state.copies, event.data, limits.copiesMax);
      break;
    case 'pi.recording.switched.v1':
      addSwitch(state.switches, event);
      break;
    case 'pi.session.attributed.v1':
      attribute(state, event, emit, limits);
      break;
    case 'pi.session.labelled.v1':
    case 'pi.records.labelled.v1':
    case 'pi.head.observed.v1':
      note(state, event, emit);
      break;
    case 'pi.session.started.v1':
      start(state, event);
      break;
    case 'pi.session.ended.v1':
      end(state, event);
      break;
    case 'pi.run.completed.v1':
      counts.runs += 1;
      break;
    case 'pi.compaction.failed.v1':
      counts.failedCompactions += 1;
      break;
    case 'pi.tool.completed.v1':
      countTool(state.tools, event.data.toolName, event.data.isError, limits.toolNamesMax);
      break;
  }
  if (spent === null) return;
  if (spent.is === 'record') addSpend(counting, spent, 1);
  else if (spent.is === 'unpriced') addUnpriced(counting, spent, 1);
  else if (spent.is === 'claim') claim(state, spent, counting, limits);
  else addEstimate(counting, spent);
  boundCells(counting, limits);
}

/** A turn that called no tool asked for nothing. */
function ask(
  state: SessionState,
  { data: { entryId, toolCalls, spend } }: LedgerEvent<'pi.turn.completed.v1'>,
  counting: Counting,
): void {
  if (spend.provider !== null && Object.keys(toolCalls).length > 0)
    addAsker(state, shortKey(`turn:${entryId}`), spend.provider, counting);
}

function claim(
  state: SessionState,
  claimed: NewClaim,
  counting: Counting,
  { claimsMax }: SessionLimits,
): void {
  addClaim(state.claims, claimed, counting, claimsMax);
  nameAsker(state, claimed.key, counting);
}

/** Takes back an entry that now counts in another session. */
function withdraw(
  state: SessionState,
  event: LedgerEvent,
  emit: Emit,
  limits: SessionLimits,
): void {
  const counting = startCounting(state, withoutTotals(emit));
  const spent = spentBy(event);
  if (spent?.is !== 'unpriced') countEntry(state.counts, event, -1);
  if (event.type === 'pi.tool.completed.v1')
    uncountTool(state.tools, event.data.toolName, event.data.isError);
  if (event.type === 'pi.recording.switched.v1') removeSwitch(state.switches, event);
  if (event.type === 'pi.subagent.linked.v1') {
    removeLink(state.claims, shortLink(event), counting);
    removeAgent(state.agents, shortLink(event));
  }
  if (spent === null) return;
  if (spent.is === 'record') addSpend(counting, spent, -1);
  else if (spent.is === 'unpriced') addUnpriced(counting, spent, -1);
  else if (spent.is === 'claim') removeClaim(state.claims, spent, counting);
  else addEstimate(counting, { ...spent, measures: negated(spent.measures) });
  boundCells(counting, limits);
}

function shortAccount({ time, data }: LedgerEvent<'pi.subagent.accounted.v1'>): NewAccount {
  const childSessionId = shortKey(data.childSessionId);
  return { ...data, time, childSessionId, keys: data.keys.map(shortRef) };
}

function shortLink({ data }: LedgerEvent<'pi.subagent.linked.v1'>): ChildLink {
  const shortOf = (id: string | null) => (id === null ? null : shortKey(id));
  return {
    ...data,
    entryId: shortOf(data.entryId),
    childSessionId: shortOf(data.childSessionId),
    ref: shortRef(data.ref),
  };
}

export function startCounting({ spending, timeline }: SessionState, emit: Emit): Counting {
  return { spending, timeline, emit };
}

function boundCells(counting: Counting, { cellsMax, longCellsMax }: SessionLimits): void {
  const { spending } = counting;
  if (spending.cells > cellsMax && spending.cellMinutes === 1) coarsen(counting, 15);
  if (spending.cells > longCellsMax && spending.cellMinutes === 15) coarsen(counting, 60);
}

function attribute(
  state: SessionState,
  event: LedgerEvent<'pi.session.attributed.v1'>,
  emit: Emit,
  limits: SessionLimits,
): void {
  const before = state.timeline;
  state.timeline = withAttribution(before, event, limits.attributionsMax);
  if (state.timeline !== before) moveSpend(startCounting(state, emit), before);
}

function note(state: SessionState, event: LedgerEvent<NoteType>, emit: Emit): void {
  const before = state.timeline;
  state.timeline = withNoted(before, event);
  if (state.timeline === before) return;
  moveSpend(startCounting(state, emit), before, concerned(before.notes, state.timeline.notes));
}

/**
 * A file has one header. Should there be two, the older one counts; at the same time, the
 * alphabetically first.
 */
function start(state: SessionState, { time, data }: LedgerEvent<'pi.session.started.v1'>): void {
  const started: Started = { at: time, cwd: data.cwd, parentSessionId: data.parentSessionId };
  if (state.started === null || readText(started) < readText(state.started))
    state.started = started;
}

function end(state: SessionState, { time, data }: LedgerEvent<'pi.session.ended.v1'>): void {
  const ended: SessionEnded = { at: time, reason: data.reason };
  if (state.ended === null || readText(ended) > readText(state.ended)) state.ended = ended;
}

/** Begins with the time, so that it sorts by time. */
function readText(value: Started | SessionEnded): string {
  return JSON.stringify(value);
}
