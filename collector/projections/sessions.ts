/**
 * The projection `sessions`: one document per session (key: the event's subject), and from every change of it the deltas of the rollups `usage`
 * and `totals`.
 *
 * Guarantees: documents and `usage` are a function of the set of events, whatever the order they arrived in (`totals` follows the log's order).
 * Does not: hold what single events said; counts, cells, attributions, claims and copies are bounded by the named limits.
 */
import type { LedgerEvent, Spend } from '@pi-ledger/contract';
import type { Emit, Projection } from './projection.ts';
import { createProjectNaming, type FoldRules, noRules, settingsOf } from './rules.ts';
import { minuteOf } from './session/calendar.ts';
import { addAccount, addClaim, type Place } from './session/claims.ts';
import { addCopy } from './session/copies.ts';
import { createSession, decodeSession, type Ended, encodeSession, type SessionState, type Started } from './session/document.ts';
import { addEstimate, addSpend, coarsen, emitAll, moveSpend } from './session/spending.ts';
import { type TimelineRules, underItsRules, withAttribution } from './session/timeline.ts';
import { countTool } from './session/tools.ts';
import { totals } from './totals.ts';
import { estimateMeasuresOf, usage } from './usage.ts';

export interface SessionLimits {
  /** Of more, the newest are kept. */
  readonly attributionsMax: number;
  /** With more, the cells of a minute become cells of a quarter of an hour. */
  readonly cellsMax: number;
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
  toolNamesMax: 200,
  claimsMax: 10_000,
  copiesMax: 1_000,
};

/** Without rules. To ask the views and to read documents any will do. */
export const sessions: Projection<SessionState> = createSessions(noRules);

/** Throws when a rule's glob is none. */
export function createSessions(rules: FoldRules, limits: SessionLimits = limitsDefault): Projection<SessionState> {
  const timelineRules: TimelineRules = { nameOf: createProjectNaming(rules), billing: new Map(Object.entries(rules.billing)) };
  return {
    name: 'sessions',
    version: 2,
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
    indexes: [['lastSeenAt'], ['project', 'lastSeenAt'], ['user', 'lastSeenAt'], ['parentSessionId']],
    key: ({ event }) => (strangers.has(event.type) ? null : event.subject.toWellFormed()),
    initial: (key) => createSession(key, timelineRules),
    evolve(state, { event }, emit) {
      see(state, event.time);
      evolve(state, event, emit, limits);
      return state;
    },
    columnsOf,
    encode: encodeSession,
    decode: (body) => decodeSession(body, timelineRules),
    sealing: {
      open: (body, version) => (version === sealedVersion ? openSealed(body, timelineRules) : null),
      emit: ({ spending, timeline }, emit) => emitAll(spending, timeline, emit),
      cumulative: [totals],
    },
  };
}

/** Of sealed documents: the only one that there is. */
const sealedVersion = 2;

/** They name a session only because the envelope needs one. */
const strangers: ReadonlySet<string> = new Set<LedgerEvent['type']>(['pi.producer.reported.v1', 'pi.history.sealed.v1']);

function openSealed(body: string, rules: TimelineRules): SessionState {
  const state = decodeSession(body, rules);
  state.timeline = underItsRules(state.timeline);
  return state;
}

function see(state: SessionState, time: string): void {
  if (state.firstSeenAt === '' || time < state.firstSeenAt) state.firstSeenAt = time;
  if (time > state.lastSeenAt) state.lastSeenAt = time;
}

/** Of types that are not named here it only takes that the session was seen. */
function evolve(state: SessionState, event: LedgerEvent, emit: Emit, limits: SessionLimits): void {
  const { counts } = state;
  switch (event.type) {
    case 'pi.turn.completed.v1':
      counts.turns += 1;
      if (!event.data.spend.reported) counts.unreportedTurns += 1;
      count(state, event.time, 'turn', event.data.spend, emit, limits);
      break;
    case 'pi.tool.completed.v1':
      counts.toolCalls += 1;
      if (event.data.isError) counts.toolErrors += 1;
      countTool(state.tools, event.data.toolName, event.data.isError, limits.toolNamesMax);
      countToolSpend(state, event, emit, limits);
      break;
    case 'pi.compaction.completed.v1':
      counts.compactions += 1;
      count(state, event.time, 'compaction', event.data.spend, emit, limits);
      break;
    case 'pi.branch.summarized.v1':
      counts.branchSummaries += 1;
      count(state, event.time, 'branch_summary', event.data.spend, emit, limits);
      break;
    case 'pi.usage.recorded.v1':
      count(state, event.time, event.data.kind, event.data.spend, emit, limits);
      break;
    case 'pi.subagent.claimed.v1':
      claim(state, event.data.key, event.time, event.data.claimed, emit, limits);
      break;
    case 'pi.subagent.accounted.v1':
      addAccount(state.claims, event.data, placeOf(state, emit), limits.claimsMax);
      break;
    case 'pi.attempt.estimated.v1':
      estimate(state, event, emit, limits);
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
    case 'pi.prompt.submitted.v1':
      counts.prompts += 1;
      break;
    case 'pi.run.completed.v1':
      counts.runs += 1;
      break;
    case 'pi.compaction.failed.v1':
      counts.failedCompactions += 1;
      break;
  }
}

function count(state: SessionState, time: string, kind: string, spend: Spend | null, emit: Emit, limits: SessionLimits): void {
  if (spend === null) return;
  const { spending, timeline } = state;
  addSpend(spending, timeline, { minute: minuteOf(time), kind, spend }, emit);
  boundCells(state, emit, limits);
}

/** Nested model work of a tool may be a subagent's, which records it as well. */
function countToolSpend(state: SessionState, { time, data }: LedgerEvent<'pi.tool.completed.v1'>, emit: Emit, limits: SessionLimits): void {
  const { spend, turnEntryId } = data;
  if (spend === null || turnEntryId === null) count(state, time, 'tool', spend, emit, limits);
  else claim(state, `turn:${turnEntryId}`, time, spend, emit, limits);
}

function claim(state: SessionState, key: string, time: string, spend: Spend, emit: Emit, limits: SessionLimits): void {
  addClaim(state.claims, { key, time, spend }, placeOf(state, emit), limits.claimsMax);
  boundCells(state, emit, limits);
}

function estimate(state: SessionState, { time, data }: LedgerEvent<'pi.attempt.estimated.v1'>, emit: Emit, limits: SessionLimits): void {
  const { provider, model } = data;
  const measures = estimateMeasuresOf(data);
  const estimated = { minute: minuteOf(time), kind: 'turn', provider: provider ?? '', model: model ?? '', measures };
  addEstimate(state.spending, state.timeline, estimated, emit);
  boundCells(state, emit, limits);
}

function placeOf({ spending, timeline }: SessionState, emit: Emit): Place {
  return { spending, timeline, emit };
}

function boundCells({ spending, timeline }: SessionState, emit: Emit, { cellsMax }: SessionLimits): void {
  if (spending.cells > cellsMax && spending.cellMinutes === 1) coarsen(spending, timeline, emit);
}

function attribute(state: SessionState, event: LedgerEvent<'pi.session.attributed.v1'>, emit: Emit, limits: SessionLimits): void {
  const before = state.timeline;
  state.timeline = withAttribution(before, event, limits.attributionsMax);
  if (state.timeline !== before) moveSpend(state.spending, before, state.timeline, emit);
}

/** A file has one header; should there be two, the older one counts, and of equally old ones the first by content. */
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
function columnsOf({ started, firstSeenAt, lastSeenAt, timeline }: SessionState): Record<string, string | number> {
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
