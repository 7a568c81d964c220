/**
 * The projection `timings`: how long answers, tools and runs took, how often they failed, what
 * their results came to, and what models asked of tools (key: the session). Each change to a
 * document emits deltas of the rollups `answers`, `statuses`, `tools`, `asked` and `runs`, and of
 * cumulative siblings (timings/totals.ts).
 *
 * - A duration counts once. An answer's stands in its entry or in a live event, never in both. A
 *   tool's may stand in both: where the entries of a session hold any, its live ones do not count.
 * - A copy without its price says nothing that its owner does not, and is left out.
 *
 * Guarantees: documents and rollups are a function of the set of events in any order, but for the
 * cumulative ones, which follow the log's order. Bounded by the named limits.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import { negated } from './amount.ts';
import { type Emit, type Projection, UnfoldableError } from './projection.ts';
import {
  createTimelineRules,
  type FoldRules,
  noRules,
  rulesText,
  type TimelineRules,
} from './rules.ts';
import { toMinute } from './session/calendar.ts';
import { movedEntry } from './session/moved.ts';
import { underItsRules, withAttribution } from './session/timeline.ts';
import {
  add,
  coarsen,
  emitAll,
  moveCells,
  setCounted,
  type TimingCounting,
} from './timings/counting.ts';
import {
  createTimingsState,
  decodeTimings,
  encodeTimings,
  type TimingsState,
} from './timings/document.ts';
import { isMeasured, measuredBy } from './timings/measured.ts';
import { answers, asked, runs, statuses, tools } from './timings/rollups.ts';
import { keepNewest, toRunFact } from './timings/runs.ts';
import { countInTotals, cumulative } from './timings/totals.ts';

export interface TimingsLimits {
  /** Beyond it, the newest are kept. */
  readonly attributionsMax: number;
  /** Models, tools, tools of models. Beyond it, the alphabetically last count as one. */
  readonly linesMax: number;
  /** Beyond it, quarters of an hour become hours. */
  readonly cellsMax: number;
  /** With as many hours, further measurements of the session are set aside. */
  readonly longCellsMax: number;
  /** Runs that are listed one by one. */
  readonly runsMax: number;
}

const limitsDefault: TimingsLimits = {
  attributionsMax: 1_000,
  linesMax: 150,
  cellsMax: 5_000,
  longCellsMax: 12_000,
  runsMax: 200,
};

const byDay = [answers, statuses, tools, asked, runs];

/** Without rules. Any instance will do for querying views and reading documents. */
export const timings: Projection<TimingsState> = createTimings(noRules);

/** Throws when a rule's glob or pattern is invalid. */
export function createTimings(
  rules: FoldRules,
  limits: TimingsLimits = limitsDefault,
): Projection<TimingsState> {
  const timelineRules = createTimelineRules(rules);
  return {
    name: 'timings',
    version: 4,
    settings: rulesText(rules),
    rollups: [...byDay, ...byDay.flatMap(({ coarser = [] }) => coarser), ...cumulative],
    columns: { project: 'text', user: 'text' },
    indexes: [['project']],
    key: ({ event }) => (isKept(event) ? event.subject.toWellFormed() : null),
    initial: (key) => createTimingsState(key, timelineRules),
    evolve(state, { event }, emit) {
      const counting = startCounting(state, emit, limits);
      if (event.type === 'pi.session.attributed.v1') attribute(state, event, counting, limits);
      else if (event.type !== 'pi.entry.moved.v1')
        measure(state, event, counting, limits, { sign: 1, isNew: true });
      else {
        const sign = event.data.role === 'in' ? 1 : -1;
        measure(state, movedEntry(event), counting, limits, { sign, isNew: false });
      }
      return state;
    },
    columnsOf: timingColumns,
    encode: encodeTimings,
    decode: (body) => decodeTimings(body, timelineRules),
    sealing: {
      open: (body, version) =>
        version >= 1 && version <= 4 ? openSealed(body, timelineRules) : null,
      emit: (state, emit) => emitAll(startCounting(state, emit, limits)),
      cumulative,
    },
  };
}

function isKept(event: LedgerEvent): boolean {
  if (event.type === 'pi.session.attributed.v1') return true;
  if (event.type !== 'pi.entry.moved.v1') return isMeasured(event);
  return event.data.role !== 'stay' && isMeasured(movedEntry(event));
}

function startCounting(
  { cells, timeline }: TimingsState,
  emit: Emit,
  { linesMax }: TimingsLimits,
): TimingCounting {
  return { cells, timeline, linesMax, emit };
}

function attribute(
  state: TimingsState,
  event: LedgerEvent<'pi.session.attributed.v1'>,
  counting: TimingCounting,
  { attributionsMax }: TimingsLimits,
): void {
  const before = state.timeline;
  state.timeline = withAttribution(before, event, attributionsMax);
  if (state.timeline !== before) moveCells({ ...counting, timeline: state.timeline }, before);
}

interface Counted {
  /** -1 takes back an entry that counts in another session now. */
  readonly sign: 1 | -1;
  /** It has not counted anywhere before. */
  readonly isNew: boolean;
}

function measure(
  state: TimingsState,
  event: LedgerEvent,
  counting: TimingCounting,
  { cellsMax, longCellsMax, runsMax }: TimingsLimits,
  { sign, isNew }: Counted,
): void {
  const { cells } = state;
  if (cells.cellMinutes === 60 && cells.count >= longCellsMax)
    throw new UnfoldableError('Its session has too many hours of work.');
  const minute = toMinute(event.time);
  for (const { table, name, amounts } of measuredBy(event)) {
    const signed = sign === 1 ? amounts : negated(amounts);
    const place = add(counting, cells.tables[table], { name, minute, amounts: signed });
    if (isNew) countInTotals(cells, { ...place, table, amounts }, counting.emit);
  }
  if (event.type === 'pi.tool.completed.v1' && event.data.durationMs !== null) {
    state.timedEntries += sign;
    setCounted(counting, cells.tables.liveTools, state.timedEntries === 0);
  }
  if (event.type === 'pi.run.completed.v1') keepNewest(state.runs, toRunFact(event), runsMax);
  if (cells.count > cellsMax && cells.cellMinutes === 15) coarsen(counting, 60);
}

function openSealed(body: string, rules: TimelineRules): TimingsState {
  const state = decodeTimings(body, rules);
  state.timeline = underItsRules(state.timeline);
  return state;
}

/** The columns describe the session by its newest attribution. */
function timingColumns({ timeline }: TimingsState): Record<string, string> {
  const facts = timeline.attributions.at(-1)?.facts;
  return { project: facts?.project.name ?? '', user: facts?.user ?? '' };
}
