/**
 * What happened in a session, by time: prompts, answers, attempts, tools, summaries, retries, waits
 * and changes of the model, each with its start and duration where a host told them. Pure.
 */
import type { CompactionFact, EntryFact, TurnFact } from '../../projections/context/facts.ts';
import type { ContextMoment } from '../../projections/context/moment.ts';
import type { EntryTree } from './entry-tree.ts';
import { estimatedTokens } from './estimate.ts';
import type { SessionFacts } from './session-facts.ts';
import { sentTokens } from './window-tokens.ts';

type ItemKind =
  | 'prompt'
  | 'turn'
  | 'tool'
  | 'compaction'
  | 'failedCompaction'
  | 'branchSummary'
  | 'sideCall'
  | 'model'
  | 'retry'
  | 'wait'
  | 'subagent';

export interface Item {
  readonly kind: ItemKind;
  /** The entry; null where there is none. */
  readonly id: string | null;
  readonly promptId: string | null;
  /** When it was recorded: its end. */
  readonly time: string;
  readonly startedAt: string | null;
  readonly durationMs: number | null;
  /** The tool, model, side call or kind of wait. */
  readonly name: string;
  /** The number of the answer or attempt. */
  readonly turn: number | null;
  readonly failed: boolean;
  /** HTTP status. */
  readonly status: number | null;
  readonly firstTokenMs: number | null;
  readonly tokens: number | null;
  readonly cacheReadTokens: number | null;
  readonly outputTokens: number | null;
  /** It is an estimate, for the result of a call. */
  readonly resultTokens: number | null;
  /** Files that a call named. */
  readonly paths: readonly string[];
  /** It is null for what spends nothing of its own. */
  readonly spend: ItemSpend | null;
}

interface ItemSpend {
  readonly provider: string;
  readonly reported: boolean;
  /** It is null when there is no price, or nothing was reported. */
  readonly costNanoUsd: number | null;
}

/** Entries of other sessions of the tree are not in it. */
export function timelineItemsOf({ nodes }: EntryTree, facts: SessionFacts): readonly Item[] {
  const told = createTold(facts);
  let turn = 0;
  const entries = nodes.flatMap(({ fact, isOwn }) => {
    if (!isOwn) return [];
    if (fact.kind === 'turn') turn += 1;
    return itemOf(fact, turn, told) ?? [];
  });
  const failed = facts.failed.map(
    ({ time, trigger, durationMs }): Item => ({
      ...nothing,
      ...spanOf(time, durationMs),
      kind: 'failedCompaction',
      name: trigger ?? '',
      failed: true,
    }),
  );
  const live = facts.moments.flatMap((moment) => liveItemOf(moment) ?? []);
  // Sorting is stable: at the same time, entries come in the order of the tree.
  return [...entries, ...failed, ...live].sort(({ time: left }, { time: right }) =>
    left === right ? 0 : left < right ? -1 : 1,
  );
}

/** What live hosts told about entries, calls and compactions. */
interface Told {
  readonly turns: ReadonlyMap<string, Extract<ContextMoment, { kind: 'turn' }>>;
  readonly tools: ReadonlyMap<string, Extract<ContextMoment, { kind: 'tool' }>>;
  readonly compactions: ReadonlyMap<string, number | null>;
}

function createTold({ moments, timed }: SessionFacts): Told {
  return {
    turns: new Map(moments.flatMap((each) => (each.kind === 'turn' ? [[each.id, each]] : []))),
    tools: new Map(moments.flatMap((each) => (each.kind === 'tool' ? [[each.id, each]] : []))),
    compactions: new Map(timed.map(({ entryId, durationMs }) => [entryId ?? '', durationMs])),
  };
}

/** What most items do not have. */
export const nothing = {
  id: null,
  promptId: null,
  name: '',
  turn: null,
  failed: false,
  status: null,
  firstTokenMs: null,
  tokens: null,
  cacheReadTokens: null,
  outputTokens: null,
  resultTokens: null,
  paths: [],
  spend: null,
};

function itemOf(fact: EntryFact, turn: number, told: Told): Item | null {
  const { time, id, promptId } = fact;
  const item = { ...nothing, ...spanOf(time, null), id, promptId };
  switch (fact.kind) {
    case 'user':
      return { ...item, kind: 'prompt', promptId: id };
    case 'turn':
      return { ...item, kind: 'turn', turn, ...turnOf(fact, told) };
    case 'tool': {
      const { toolName, isError, callId, provider, costNanoUsd, paths } = fact;
      const durationMs = fact.durationMs ?? told.tools.get(callId ?? '')?.durationMs ?? null;
      const spend = costNanoUsd === null ? null : { provider, reported: true, costNanoUsd };
      const span = spanOf(time, durationMs);
      const result = { resultTokens: estimatedTokens(fact), paths };
      return { ...item, ...span, ...result, kind: 'tool', name: toolName, failed: isError, spend };
    }
    case 'compaction':
    case 'branchSummary':
      return { ...item, kind: fact.kind, ...summaryOf(fact, told) };
    case 'usage': {
      const { usageKind, provider, costNanoUsd } = fact;
      const spend = { provider, reported: true, costNanoUsd };
      return { ...item, kind: 'sideCall', name: usageKind, spend };
    }
    case 'model':
      return { ...item, kind: 'model', name: fact.model || fact.thinkingLevel };
    default:
      return null;
  }
}

function turnOf(fact: TurnFact, { turns }: Told) {
  const moment = turns.get(fact.id);
  const { time, requestedAtMs, reported, stopReason, model } = fact;
  const durationMs = fact.durationMs ?? moment?.durationMs ?? null;
  const span = spanOf(time, durationMs);
  return {
    ...span,
    startedAt: requestedAtMs === null ? span.startedAt : textOf(requestedAtMs),
    name: model,
    failed: !reported || stopReason === 'error' || stopReason === 'aborted',
    status: fact.errorStatus ?? moment?.status ?? null,
    firstTokenMs: fact.firstTokenMs ?? moment?.firstMs ?? null,
    tokens: reported ? sentTokens(fact) : null,
    cacheReadTokens: reported ? fact.cacheReadTokens : null,
    outputTokens: reported ? fact.outputTokens : null,
    spend: fact,
  };
}

function summaryOf(
  fact: CompactionFact | Extract<EntryFact, { kind: 'branchSummary' }>,
  { compactions }: Told,
) {
  return {
    ...spanOf(fact.time, compactions.get(fact.id) ?? null),
    name: fact.spend?.model ?? '',
    tokens: fact.kind === 'compaction' ? fact.tokensBefore : null,
    spend: fact.spend ?? { provider: '', reported: false, costNanoUsd: null },
  };
}

function liveItemOf(moment: ContextMoment): Item | null {
  const { kind, id, time } = moment;
  switch (kind) {
    case 'retry': {
      const { durationMs } = moment;
      return { ...nothing, kind, id, time, startedAt: time, durationMs, turn: null };
    }
    case 'wait':
      return {
        ...nothing,
        ...spanOf(time, moment.durationMs),
        kind,
        id,
        name: moment.what,
        failed: moment.approved === false,
      };
    default:
      return null;
  }
}

/** Durations are monotonic and times wall clock: the start is as good as the clock. */
function spanOf(time: string, durationMs: number | null) {
  const startedAt = durationMs === null ? null : textOf(Date.parse(time) - durationMs);
  return { time, startedAt, durationMs };
}

function textOf(ms: number): string | null {
  return Math.abs(ms) <= timeMax ? new Date(ms).toISOString() : null;
}

/** The most that a date can be. */
const timeMax = 8.64e15;
