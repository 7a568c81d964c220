/** Turns items of a time line into the API's answer, and adds up what they cost on the way. */
import type { TimelineItem } from '@pi-ledger/contract/answers';
import type { Item } from '../context/timeline-items.ts';
import type { SessionContext } from '../contexts/session-context.ts';
import type { Subagent } from '../sessions/subagents.ts';
import { addSum, type BillingSums, costsOf } from '../spend/billing-sums.ts';
import { type Charges, costSourceOf } from '../spend/charges.ts';
import type { Runs } from './runs.ts';

export interface ItemAnswers {
  /** The answer of one item, or of several that are merged; in order. */
  answer(group: readonly [Item, ...Item[]]): TimelineItem;
  /** An item that is not shown. */
  pass(item: Item): void;
  /** What all items so far cost. */
  placed(): ReadonlyMap<keyof TimelineItem['costs'], bigint>;
}

export interface ItemSources {
  readonly chargeOf: Charges;
  readonly runs: Runs;
  readonly subagents: readonly Subagent[];
  readonly context: Pick<SessionContext, 'points' | 'cacheMisses'>;
}

export function createItemAnswers(sources: ItemSources): ItemAnswers {
  const { chargeOf, runs, subagents, context } = sources;
  const soFar: BillingSums = new Map();
  const pointOf = new Map(context.points().map((point) => [point.entryId, point]));
  const missOf = new Map(context.cacheMisses().map((miss) => [miss.entryId, miss]));
  const subagentOf = new Map(subagents.map((subagent) => [subagent.state.id, subagent]));

  function place(items: readonly Item[]): BillingSums {
    const costs: BillingSums = new Map();
    for (const item of items) {
      const charge = chargeOf(item);
      if (charge === null) continue;
      addSum(costs, charge.billing, charge.nanoUsd);
      addSum(soFar, charge.billing, charge.nanoUsd);
    }
    return costs;
  }

  function windowOf({ kind, id }: Item) {
    const answer = kind === 'turn' ? (id ?? '') : '';
    return {
      missedTokens: missOf.get(answer)?.missedTokens ?? null,
      untilThresholdTokens: pointOf.get(answer)?.untilThresholdTokens ?? null,
    };
  }

  return {
    answer(group) {
      const [item] = group;
      const placed = { costs: costsOf(place(group)), costsSoFar: costsOf(soFar) };
      if (group.length > 1) return { ...mergedOf(group), ...placed };
      const { kind, id, time, startedAt, durationMs, name, turn, failed, status } = item;
      const { firstTokenMs, tokens, cacheReadTokens, outputTokens, resultTokens } = item;
      return {
        ...{ kind, time, startedAt, durationMs, name, turn, failed, status, firstTokenMs },
        ...{ tokens, cacheReadTokens, outputTokens, resultTokens },
        paths: [...item.paths],
        ...windowOf(item),
        entryId: kind === 'subagent' ? null : id,
        costSource: costSourceOf(item),
        ...placed,
        run: kind === 'prompt' ? runs.of(id ?? '') : null,
        subagent: kind === 'subagent' ? subagentAnswer(subagentOf.get(id ?? '')) : null,
        merged: null,
      };
    },
    pass(item) {
      place([item]);
    },
    placed: () => soFar,
  };
}

function subagentAnswer(subagent: Subagent | undefined): TimelineItem['subagent'] {
  if (subagent === undefined) return null;
  const { state, parentSession, spent } = subagent;
  const { unpriced, unreported } = spent;
  const { turns } = state.counts;
  const costs = costsOf(spent.costs);
  return { session: state.id, parentSession, turns, costs, unpriced, unreported };
}

function mergedOf(group: readonly [Item, ...Item[]]): Omit<TimelineItem, 'costs' | 'costsSoFar'> {
  const [first] = group;
  const last = group.at(-1) ?? first;
  return {
    kind: 'merged',
    entryId: first.id,
    time: last.time,
    startedAt: first.startedAt ?? first.time,
    durationMs: null,
    name: '',
    turn: group.findLast(({ kind }) => kind === 'turn')?.turn ?? null,
    failed: group.some(({ failed }) => failed),
    status: null,
    firstTokenMs: null,
    tokens: null,
    cacheReadTokens: null,
    missedTokens: null,
    outputTokens: null,
    untilThresholdTokens: null,
    resultTokens: null,
    paths: [],
    costSource: null,
    run: null,
    subagent: null,
    merged: countsOf(group),
  };
}

const counted = {
  prompt: 'prompts',
  turn: 'turns',
  tool: 'tools',
  retry: 'retries',
  wait: 'waits',
  subagent: 'subagents',
  model: 'others',
  sideCall: 'others',
  compaction: 'others',
  failedCompaction: 'others',
  branchSummary: 'others',
} as const satisfies Record<Item['kind'], keyof NonNullable<TimelineItem['merged']>>;

function countsOf(group: readonly Item[]): NonNullable<TimelineItem['merged']> {
  const counts = {
    prompts: 0,
    turns: 0,
    failedTurns: 0,
    tools: 0,
    failedTools: 0,
    retries: 0,
    waits: 0,
    subagents: 0,
    others: 0,
    unpriced: 0,
    unreported: 0,
  };
  for (const item of group) {
    counts[counted[item.kind]] += 1;
    if (item.failed && item.kind === 'turn') counts.failedTurns += 1;
    if (item.failed && item.kind === 'tool') counts.failedTools += 1;
    const source = costSourceOf(item);
    if (source === 'unpriced' || source === 'unreported') counts[source] += 1;
  }
  return counts;
}
