/**
 * The projection `utilization`: how full context windows get, and what compactions make of them
 * (key: the session). Its rollups are counters for exporters (utilization/totals.ts); documents
 * hold the peaks of a session's newest hour.
 *
 * - A compaction counts with its entry, or when it fails, under the trigger that the running host
 *   said by then. Where nobody did (imports, old hosts), it stays unknown.
 * - The first answer after a compaction is the first that comes, not by time. One that comes before
 *   the compaction itself is not found.
 * - An entry that moves to another session is neither taken back nor counted again.
 *
 * Guarantees: documents are a function of the set of events in any order; the rollups follow the
 * log's order.
 */
import type { EventData, LedgerEvent } from '@pi-ledger/contract';
import { sentTokens } from '@pi-ledger/contract/spend-shape';
import { conversationTokens } from '@pi-ledger/core/record/orchestration';
import type { Amount } from './amount.ts';
import { type Emit, type Projection, type Rollup, rowKey } from './projection.ts';
import {
  createTimelineRules,
  type FoldRules,
  noRules,
  rulesText,
  type TimelineRules,
} from './rules.ts';
import { toMinute } from './session/calendar.ts';
import { isUnpricedCopy } from './session/entries.ts';
import { underItsRules, withAttribution } from './session/timeline.ts';
import { labelsAt } from './session/timeline-labels.ts';
import { findBucket, microseconds, runDurations } from './timings/buckets.ts';
import {
  createUtilization as createState,
  decodeUtilization,
  encodeUtilization,
  findTrigger,
  keepPeak,
  keepTrigger,
  type UtilizationState,
} from './utilization/document.ts';
import {
  amountsAt,
  shares,
  tokensAfter,
  tokensBefore,
  toSample,
  totalCompacted,
  totalCompactions,
  totalUtilization,
} from './utilization/totals.ts';

const attributionsMax = 1_000;
const cumulative: readonly Rollup[] = [totalUtilization, totalCompactions, totalCompacted];

/** Without rules. Any instance will do for querying views and reading documents. */
export const utilization: Projection<UtilizationState> = createUtilization(noRules);

/** Throws when a rule's glob or pattern is invalid. */
export function createUtilization(rules: FoldRules): Projection<UtilizationState> {
  const timelineRules = createTimelineRules(rules);
  return {
    name: 'utilization',
    version: 1,
    settings: rulesText(rules),
    rollups: cumulative,
    columns: {
      project: 'text',
      user: 'text',
      /** It is the minute of the newest sample since 1970; 0: none, or of an ignored project. */
      sampledMinute: 'integer',
    },
    indexes: [['sampledMinute']],
    key: ({ event }) => (isKept(event) ? event.subject.toWellFormed() : null),
    initial: (key) => createState(key, timelineRules),
    evolve(state, { event }, emit) {
      evolve(state, event, (rollup, names, amounts) =>
        count(state, event, emit, { rollup, names, amounts }),
      );
      return state;
    },
    columnsOf: utilizationColumns,
    encode: encodeUtilization,
    decode: (body) => decodeUtilization(body, timelineRules),
    sealing: {
      open: (body, version) => (version === 1 ? openSealed(body, timelineRules) : null),
      emit: () => undefined,
      cumulative,
    },
  };
}

function isKept(event: LedgerEvent): boolean {
  switch (event.type) {
    case 'pi.session.attributed.v1':
    case 'pi.compaction.completed.v1':
    case 'pi.compaction.timed.v1':
    case 'pi.compaction.failed.v1':
      return true;
    case 'pi.turn.completed.v1':
      return event.data.spend.reported && !isUnpricedCopy(event, event.data.spend);
    case 'pi.context.sampled.v1':
      return event.data.source === 'provider' && filledShare(event.data) !== null;
    default:
      return false;
  }
}

/** `names`: the row's dimensions beside project, user and host. */
type Names = Readonly<Record<string, string>>;
type Count = (rollup: Rollup, names: Names, amounts: readonly Amount[]) => void;

function evolve(state: UtilizationState, event: LedgerEvent, add: Count): void {
  switch (event.type) {
    case 'pi.session.attributed.v1':
      state.timeline = withAttribution(state.timeline, event, attributionsMax);
      break;
    case 'pi.context.sampled.v1':
      sample(state, event, add);
      break;
    case 'pi.turn.completed.v1':
      answer(state, event, add);
      break;
    case 'pi.compaction.completed.v1':
      compact(state, event, add);
      break;
    case 'pi.compaction.timed.v1':
      time(state, event, add);
      break;
    case 'pi.compaction.failed.v1': {
      const { trigger, aborted } = event.data;
      add(
        totalCompactions,
        { trigger: trigger ?? '', outcome: aborted ? 'aborted' : 'failed' },
        [1],
      );
      break;
    }
  }
}

function sample(
  state: UtilizationState,
  { time, data }: LedgerEvent<'pi.context.sampled.v1'>,
  add: Count,
): void {
  const share = filledShare(data);
  if (share === null) return;
  keepPeak(state.peaks, toMinute(time), share);
  const names = { provider: data.provider ?? '', model: data.model ?? '' };
  add(totalUtilization, names, toSample(totalUtilization, shares, share));
}

/** The most that a share can be: a window a thousand times too full. */
const sharePpmMax = 1_000_000_000;

/** In millionths; null: not known. */
function filledShare({
  tokens,
  windowTokens,
}: Pick<EventData<'pi.context.sampled.v1'>, 'tokens' | 'windowTokens'>): number | null {
  if (tokens === null || windowTokens === null || windowTokens === 0) return null;
  return Math.min(sharePpmMax, Math.round((tokens * 1_000_000) / windowTokens));
}

function answer(
  state: UtilizationState,
  { time, data: { spend } }: LedgerEvent<'pi.turn.completed.v1'>,
  add: Count,
): void {
  const { compactedAt, answeredAt } = state;
  if (time > answeredAt) state.answeredAt = time;
  const isFirst = compactedAt !== '' && time > compactedAt && answeredAt <= compactedAt;
  if (!isFirst) return;
  const sent = sentTokens(conversationTokens(spend));
  if (sent > 0) add(totalCompacted, {}, toSample(totalCompacted, tokensAfter, sent));
}

function compact(
  state: UtilizationState,
  { time, data }: LedgerEvent<'pi.compaction.completed.v1'>,
  add: Count,
): void {
  if (time > state.compactedAt) state.compactedAt = time;
  const trigger = findTrigger(state, data.entryId);
  add(totalCompactions, { trigger, outcome: 'completed' }, [1]);
  if (data.tokensBefore !== null)
    add(totalCompacted, {}, toSample(totalCompacted, tokensBefore, data.tokensBefore));
}

function time(
  state: UtilizationState,
  { time: at, data }: LedgerEvent<'pi.compaction.timed.v1'>,
  add: Count,
): void {
  const { entryId, trigger, durationMs } = data;
  if (entryId !== null && trigger !== null) keepTrigger(state.triggers, [at, entryId, trigger]);
  if (durationMs === null) return;
  const amounts = amountsAt(1, findBucket(runDurations, durationMs), microseconds(durationMs));
  add(totalCompactions, { trigger: trigger ?? '', outcome: 'completed' }, amounts);
}

function count(
  { timeline }: UtilizationState,
  { time: at }: LedgerEvent,
  emit: Emit,
  counted: {
    readonly rollup: Rollup;
    readonly names: Names;
    readonly amounts: readonly Amount[];
  },
): void {
  const { project, user, host, isIgnored } = labelsAt(timeline, toMinute(at), '');
  if (isIgnored) return;
  const { rollup, names, amounts } = counted;
  emit(rollup, rowKey(rollup, { project, user, host, ...names }), amounts);
}

function openSealed(body: string, rules: TimelineRules): UtilizationState {
  const state = decodeUtilization(body, rules);
  state.timeline = underItsRules(state.timeline);
  return state;
}

/** The columns describe the session by its newest attribution. */
function utilizationColumns({
  timeline,
  peaks,
}: UtilizationState): Record<string, string | number> {
  const facts = timeline.attributions.at(-1)?.facts;
  return {
    project: (facts?.project.name ?? '').toWellFormed(),
    user: (facts?.user ?? '').toWellFormed(),
    sampledMinute: facts?.isIgnored ? 0 : (peaks.at(-1)?.[0] ?? 0),
  };
}
