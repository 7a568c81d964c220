/**
 * The projection `sessions`: one document per session (key: the event's subject). Each change to it
 * emits deltas of the rollups `usage` and `totals`.
 *
 * Guarantees: documents and `usage` are a function of the set of events in any order (`totals`
 * follows the log's order). Does not hold what single events said. Counts, cells, attributions,
 * claims and copies are bounded by the named limits.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import type { Projection } from './projection.ts';
import {
  createTimelineRules,
  type FoldRules,
  noRules,
  rulesText,
  type TimelineRules,
} from './rules.ts';
import { findColumns } from './session/columns.ts';
import {
  createSession,
  decodeSession,
  encodeSession,
  type SessionState,
} from './session/document.ts';
import { evolve, move, type SessionLimits, see, startCounting } from './session/fold-event.ts';
import { movedEntry } from './session/moved.ts';
import { emitAll } from './session/regroup.ts';
import { expectRoom } from './session/room.ts';
import { settleStreamed } from './session/streamed.ts';
import { underItsRules } from './session/timeline.ts';
import { moveToTheirLines } from './session/unpriced-text.ts';
import { totals, withoutTotals } from './totals.ts';
import { usage } from './usage.ts';

const limitsDefault: SessionLimits = {
  attributionsMax: 1_000,
  cellsMax: 5_000,
  longCellsMax: 16_000,
  toolNamesMax: 200,
  claimsMax: 10_000,
  copiesMax: 1_000,
};

/** For questions to its view. Whoever reads a document needs the rules that it is folded with. */
export const sessions: Projection = createSessions(noRules);

/** Throws when a rule's glob or pattern is invalid. */
export function createSessions(
  rules: FoldRules,
  limits: SessionLimits = limitsDefault,
): Projection<SessionState> {
  const timelineRules = createTimelineRules(rules);
  return {
    name: 'sessions',
    version: 11,
    settings: rulesText(rules),
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
      /** 1 for a session of an ignored project. */
      ignored: 'integer',
      /** The spender's days of `startedAt` and `lastSeenAt`. */
      firstDay: 'text',
      lastDay: 'text',
      meteredOrder: 'text',
      subscriptionOrder: 'text',
      unknownOrder: 'text',
    },
    indexes: [
      ['lastSeenAt'],
      ['project', 'lastSeenAt'],
      ['user', 'lastSeenAt'],
      ['parentSessionId'],
      ['lastDay', 'firstDay', 'ignored'],
      ['meteredOrder'],
      ['subscriptionOrder'],
      ['unknownOrder'],
    ],
    key: ({ event }) => (strangers.has(event.type) ? null : event.subject.toWellFormed()),
    initial: (key) => createSession(key, timelineRules),
    evolve(state, { event }, emit) {
      const isMove = event.type === 'pi.entry.moved.v1';
      expectRoom(state, isMove ? movedEntry(event) : event, limits.longCellsMax);
      if (event.type !== 'pi.records.labelled.v1') see(state, event.time);
      if (isMove) move(state, event, emit, limits);
      else evolve(state, event, emit, limits);
      settleStreamed(state, startCounting(state, withoutTotals(emit)));
      return state;
    },
    columnsOf: sessionColumns,
    encode: encodeSession,
    decode: (body) => decodeSession(body, timelineRules),
    sealing: {
      open: (body, version) =>
        sealedVersions.has(version) ? openSealed(body, version, timelineRules) : null,
      emit: (state, emit) => emitAll(startCounting(state, emit)),
      cumulative: [totals],
    },
  };
}

/** Versions of sealed documents. */
const sealedVersions: ReadonlySet<number> = new Set([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);

/** Nor parts of costs. */
const versionWithoutVariants = 4;

/** These events name a session only because the envelope requires one. */
const strangers: ReadonlySet<string> = new Set<LedgerEvent['type']>([
  'pi.producer.reported.v1',
  'pi.history.sealed.v1',
  'pi.budget.defined.v1',
  'pi.budget.crossed.v1',
]);

function openSealed(body: string, version: number, rules: TimelineRules): SessionState {
  const state = decodeSession(body, rules);
  if (version <= versionWithoutVariants) moveToTheirLines(state.spending);
  state.timeline = underItsRules(state.timeline);
  return state;
}

/** The columns describe the session by its newest attribution. */
function sessionColumns(state: SessionState): Record<string, string | number> {
  const { started, firstSeenAt, lastSeenAt, timeline } = state;
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
    ...findColumns(state),
  };
}
