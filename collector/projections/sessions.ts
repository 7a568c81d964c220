/**
 * The projection `sessions`: one document per session (key: the event's subject), and from every change of it the deltas of the rollups `usage`
 * and `totals`.
 *
 * Guarantees: documents and `usage` are a function of the set of events, whatever the order they arrived in (`totals` follows the log's order).
 * Does not: hold what single events said; counts, cells and attributions are bounded by the named limits.
 */
import type { LedgerEvent, Spend } from '@pi-ledger/contract';
import type { Emit, Projection } from './projection.ts';
import { minuteOf } from './session/calendar.ts';
import { createSession, decodeSession, type Ended, encodeSession, type SessionState, type Started } from './session/document.ts';
import { addSpend, coarsen, moveSpend } from './session/spending.ts';
import { withAttribution } from './session/timeline.ts';
import { countTool } from './session/tools.ts';
import { totals } from './totals.ts';
import { usage } from './usage.ts';

export interface SessionLimits {
  /** Of more, the newest are kept. */
  readonly attributionsMax: number;
  /** With more, the cells of a minute become cells of a quarter of an hour. */
  readonly cellsMax: number;
  /** Of more, those that come last in the alphabet are counted as one. */
  readonly toolNamesMax: number;
}

const limitsDefault: SessionLimits = { attributionsMax: 1_000, cellsMax: 5_000, toolNamesMax: 200 };

export const sessions: Projection<SessionState> = createSessions(limitsDefault);

export function createSessions(limits: SessionLimits): Projection<SessionState> {
  return {
    name: 'sessions',
    version: 1,
    rollups: [usage, totals],
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
    },
    indexes: [['lastSeenAt'], ['project', 'lastSeenAt'], ['user', 'lastSeenAt'], ['parentSessionId']],
    // A producer's report names a session only because the envelope needs one.
    key: ({ event }) => (event.type === 'pi.producer.reported.v1' ? null : event.subject.toWellFormed()),
    initial: createSession,
    evolve(state, { event }, emit) {
      see(state, event.time);
      evolve(state, event, emit, limits);
      return state;
    },
    columnsOf,
    encode: encodeSession,
    decode: decodeSession,
  };
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
      count(state, event.time, 'tool', event.data.spend, emit, limits);
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
  if (spending.cells > limits.cellsMax && spending.cellMinutes === 1) coarsen(spending, timeline, emit);
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
function columnsOf({ started, firstSeenAt, lastSeenAt, timeline }: SessionState): Record<string, string> {
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
  };
}
