/**
 * Answers that read less from the cache than the answer above them: by how much, at what cost and,
 * as far as known, why. The reason is the first that applies of: compaction, a cleared context,
 * another branch, another model, another set of tools or system prompt, a pause longer than caches
 * live.
 */
import { minuteMs } from '@pi-ledger/core/time/units';
import type { FixtureFact } from '../../projections/context/facts.ts';
import { type AnswerNode, answerAbove, isAnswer } from './answer-node.ts';
import type { EntryNode, EntryTree } from './entry-tree.ts';
import { latestAt } from './latest-at.ts';
import { createPrices, type Prices } from './prices.ts';
import { isClearing } from './window-content.ts';

type MissReason =
  | 'compaction'
  | 'cleared'
  | 'branch'
  | 'model'
  | 'tools'
  | 'idle1h'
  | 'idle5min'
  | 'unknown';

export interface CacheMiss {
  readonly entryId: string;
  readonly time: string;
  /** Tokens read from the cache by the answer above, and by this one. */
  readonly fromTokens: number;
  readonly toTokens: number;
  /** The difference, as far as it was sent again. */
  readonly missedTokens: number;
  /** What these cost beyond reading them from the cache. Null when no price is known. */
  readonly costNanoUsd: number | null;
  readonly reason: MissReason;
}

export function cacheMissesOf(
  tree: EntryTree,
  fixtures: readonly FixtureFact[],
): readonly CacheMiss[] {
  const missAt = createCacheMisses(tree, fixtures);
  return tree.nodes
    .filter(({ isOwn }) => isOwn)
    .flatMap((node) => (isAnswer(node) ? (missAt(node) ?? []) : []));
}

/** Returns null when the answer missed nothing. */
export function createCacheMisses(
  tree: EntryTree,
  fixtures: readonly FixtureFact[],
): (answer: AnswerNode) => CacheMiss | null {
  const prices = createPrices(tree);
  return (answer) => {
    const before = answerAbove(answer);
    const { fact } = answer;
    if (before === null || fact.cacheReadTokens >= before.fact.cacheReadTokens) return null;
    const [fromTokens, toTokens] = [before.fact.cacheReadTokens, fact.cacheReadTokens];
    const missedTokens = Math.min(fromTokens - toTokens, fact.inputTokens + fact.cacheWriteTokens);
    const costNanoUsd = costOf(answer, missedTokens, prices);
    return {
      entryId: fact.id,
      time: fact.time,
      fromTokens,
      toTokens,
      missedTokens,
      costNanoUsd,
      reason: reasonOf(before, answer, fixtures),
    };
  };
}

function costOf(answer: AnswerNode, missedTokens: number, prices: Prices): number | null {
  const [uncached, cached] = [prices.uncached(answer), prices.cacheRead(answer)];
  return uncached === null || cached === null
    ? null
    : Math.max(0, Math.round(missedTokens * (uncached - cached)));
}

function reasonOf(
  before: AnswerNode,
  answer: AnswerNode,
  fixtures: readonly FixtureFact[],
): MissReason {
  const between = nodesBetween(before, answer);
  if (between.some(({ fact }) => fact.kind === 'compaction')) return 'compaction';
  if (between.some(isClearing)) return 'cleared';
  if (between.some(({ fact }) => fact.kind === 'branchSummary')) return 'branch';
  if (before.fact.provider !== answer.fact.provider || before.fact.model !== answer.fact.model)
    return 'model';
  if (between.some(changesTools) || toolSetAt(fixtures, before) !== toolSetAt(fixtures, answer))
    return 'tools';
  const idleMs = Date.parse(answer.fact.time) - Date.parse(before.fact.time);
  return idleMs > 60 * minuteMs ? 'idle1h' : idleMs > 5 * minuteMs ? 'idle5min' : 'unknown';
}

function nodesBetween(before: EntryNode, answer: EntryNode): EntryNode[] {
  const between: EntryNode[] = [];
  for (let at = answer.parent; at !== null && at !== before; at = at.parent) between.push(at);
  return between;
}

function changesTools({ fact }: EntryNode): boolean {
  return fact.kind === 'message' && (fact.toolsChanged || fact.role === 'system');
}

function toolSetAt(fixtures: readonly FixtureFact[], { fact }: EntryNode): string | null {
  return latestAt(fixtures, fact.time, ({ time }) => time)?.toolSetHash ?? null;
}
