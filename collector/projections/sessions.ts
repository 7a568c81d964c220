/**
 * The projection `sessions`: one document per session (key: the event's subject), and from every
 * change of it the deltas of the rollups `usage` and `totals`.
 *
 * Guarantees: documents and `usage` are a function of the set of events, whatever the order they
 * arrived in (`totals` follows the log's order). Does not: hold what single events said; counts,
 * cells, attributions, claims and copies are bounded by the named limits.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import { negated } from './amount.ts';
import type { Emit, Projection } from './projection.ts';
import { createProjectNaming, type FoldRules, noRules, settingsOf } from './rules.ts';
import { addAccount, addClaim, removeClaim } from './session/claims.ts';
import { addCopy } from './session/copies.ts';
import {
  createSession,
  decodeSession,
  type Ended,
  encodeSession,
  type SessionState,
  type Started,
} from './session/document.ts';
import { countEntry, spentBy } from './session/entries.ts';
import { entryOf } from './session/moved.ts';
import { type Counting, emitAll, moveSpend } from './session/regroup.ts';
import { expectRoom, shortKey } from './session/room.ts';
import { addEstimate, addSpend, addUnpriced, coarsen } from './session/spending.ts';
import { type TimelineRules, underItsRules, withAttribution } from './session/timeline.ts';
import { countTool, uncountTool } from './session/tools.ts';
import { totals, withoutTotals } from './totals.ts';
import { usage } from './usage.ts';

export interface SessionLimits {
  /** Of more, the newest are kept. */
  readonly attributionsMax: number;
  /** With more, the cells of a minute become cells of a quarter of an hour. */
  readonly cellsMax: number;
  /**
   * With more of a quarter of an hour, they become cells of an hour; with as many of these (years
   * of work in one session, or times that a sender makes up), what else the session spends is set
   * aside.
   */
  readonly longCellsMax: number;
  /** Of more, those that come last in the alphabet are counted as one. */
  readonly toolNamesMax: number;
  /** Of subagents: claims and what they are known by. With more, only their sums are compared. */
  readonly claimsMax: number;
  /** Of more, those that come last in the alphabet are left out. */
  readonly copiesMax: number;
}

const limitsDefault: SessionLimits = {
  attributionsMax: 1_000,
  cellsMax: 5_000,
  longCellsMax: 16_000,
  toolNamesMax: 200,
  claimsMax: 10_000,
  copiesMax: 1_000,
};

/** Without rules. To ask the views and to read documents any will do. */
export const sessions: Projection<SessionState> = createSessions(noRules);

/** Throws when a rule's glob is none. */
export function createSessions(
  rules: FoldRules,
  limits: SessionLimits = limitsDefault,
): Projection<SessionState> {
  const timelineRules: TimelineRules = {
    nameOf: createProjectNaming(rules),
    billing: new Map(Object.entries(rules.billing)),
  };
  return {
    name: 'sessions',
    version: 4,
    settings: settingsOf(rules),
    rollups: [usage, ...(usage.coarser ?? []), totals],
    columns: {
      startedAt: 'text',
      lastSeenAt: 'text',
      project: 'text',
      branch: 'text',
      user: 'text',
      machine: 'text',
      host: 'text',
      agent: 'text',
      parentSessionId: 'text',
      /** 1: of a project that is not counted. */
      ignored: 'integer',
    },
    indexes: [
      ['lastSeenAt'],
      ['project', 'lastSeenAt'],
      ['user', 'lastSeenAt'],
      ['parentSessionId'],
    ],
    key: ({ event }) => (strangers.has(event.type) ? null : event.subject.toWellFormed()),
    initial: (key) => createSession(key, timelineRules),
    evolve(state, { event }, emit) {
      const isMove = event.type === 'pi.entry.moved.v1';
      expectRoom(state, isMove ? entryOf(event) : event, limits.longCellsMax);
      see(state, event.time);
      if (isMove) move(state, event, emit, limits);
      else evolve(state, event, emit, limits);
      return state;
    },
    columnsOf,
    encode: encodeSession,
    decode: (body) => decodeSession(body, timelineRules),
    sealing: {
      open: (body, version) =>
        sealedVersions.has(version) ? openSealed(body, timelineRules) : null,
      emit: (state, emit) => emitAll(countingOf(state, emit)),
      cumulative: [totals],
    },
  };
}

/** Of sealed documents: they are read alike. */
const sealedVersions: ReadonlySet<number> = new Set([2, 3, 4]);

/** They name a session only because the envelope needs one. */
const strangers: ReadonlySet<string> = new Set<LedgerEvent['type']>([
  'pi.producer.reported.v1',
  'pi.history.sealed.v1',
]);

function openSealed(body: string, rules: TimelineRules): SessionState {
  const state = decodeSession(body, rules);
  state.timeline = underItsRules(state.timeline);
  return state;
}

function see(state: SessionState, time: string): void {
  if (state.firstSeenAt === '' || time < state.firstSeenAt) state.firstSeenAt = time;
  if (time > state.lastSeenAt) state.lastSeenAt = time;
}

/** Its totals stay: they follow the log's order, and never fall. */
function move(
  state: SessionState,
  event: LedgerEvent<'pi.entry.moved.v1'>,
  emit: Emit,
  limits: SessionLimits,
): void {
  const { role } = event.data;
  if (role === 'in') evolve(state, entryOf(event), withoutTotals(emit), limits);
  else if (role === 'out') withdraw(state, entryOf(event), emit, limits);
}

/** Of types that are not named here it only takes that the session was seen. */
function evolve(state: SessionState, event: LedgerEvent, emit: Emit, limits: SessionLimits): void {
  const { counts } = state;
  const counting = countingOf(state, emit);
  const spent = spentBy(event);
  if (spent?.is !== 'unpriced') countEntry(counts, event, 1);
  switch (event.type) {
    case 'pi.subagent.accounted.v1':
      addAccount(
        state.claims,
        { ...event.data, keys: event.data.keys.map(shortKey) },
        counting,
        limits.claimsMax,
      );
      break;
    case 'pi.session.copied.v1':
      counts.copies += 1;
      addCopy(state.copies, event.data, limits.copiesMax);
      break;
    case 'pi.session.attributed.v1':
      attribute(state, event, emit, limits);
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
  else if (spent.is === 'claim') addClaim(state.claims, spent, counting, limits.claimsMax);
  else addEstimate(counting, spent);
  boundCells(counting, limits);
}

/** What `evolve` made of an entry that counts in another session now. */
function withdraw(
  state: SessionState,
  event: LedgerEvent,
  emit: Emit,
  limits: SessionLimits,
): void {
  const counting = countingOf(state, withoutTotals(emit));
  const spent = spentBy(event);
  if (spent?.is !== 'unpriced') countEntry(state.counts, event, -1);
  if (event.type === 'pi.tool.completed.v1')
    uncountTool(state.tools, event.data.toolName, event.data.isError);
  if (spent === null) return;
  if (spent.is === 'record') addSpend(counting, spent, -1);
  else if (spent.is === 'unpriced') addUnpriced(counting, spent, -1);
  else if (spent.is === 'claim') removeClaim(state.claims, spent, counting);
  else addEstimate(counting, { ...spent, measures: negated(spent.measures) });
  boundCells(counting, limits);
}

function countingOf({ spending, timeline }: SessionState, emit: Emit): Counting {
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
  if (state.timeline !== before) moveSpend(countingOf(state, emit), before);
}

/**
 * A file has one header; should there be two, the older one counts, and of equally old ones the
 * first by content.
 */
function start(state: SessionState, { time, data }: LedgerEvent<'pi.session.started.v1'>): void {
  const started: Started = { at: time, cwd: data.cwd, parentSessionId: data.parentSessionId };
  if (state.started === null || textOf(started) < textOf(state.started)) state.started = started;
}

function end(state: SessionState, { time, data }: LedgerEvent<'pi.session.ended.v1'>): void {
  const ended: Ended = { at: time, reason: data.reason };
  if (state.ended === null || textOf(ended) > textOf(state.ended)) state.ended = ended;
}

/** Begins with the time, so that it sorts by it. */
function textOf(value: Started | Ended): string {
  return JSON.stringify(value);
}

/** Whose session it is now: by its newest attribution. */
function columnsOf({
  started,
  firstSeenAt,
  lastSeenAt,
  timeline,
}: SessionState): Record<string, string | number> {
  const facts = timeline.attributions.at(-1)?.facts;
  return {
    startedAt: started?.at ?? firstSeenAt,
    lastSeenAt,
    project: facts?.project.name ?? '',
    branch: facts?.project.branch ?? '',
    user: facts?.user ?? '',
    machine: facts?.machine ?? '',
    host: facts?.host.name ?? '',
    agent: facts?.agent.kind ?? '',
    parentSessionId: started?.parentSessionId ?? facts?.parentSessionId ?? '',
    ignored: facts?.isIgnored ? 1 : 0,
  };
}
