/**
 * Whether a compaction was worth it: what the saved tokens would have cost in the turns after it,
 * minus what it cost.
 */
import type { AnswerNode } from './answer-node.ts';
import type { CacheMiss } from './cache-misses.ts';
import type { Prices } from './prices.ts';
import type { Regret } from './regret.ts';

export interface Net {
  /** Tokens saved, times the answers given without them. */
  readonly savedTokens: number;
  /** At the price of cache reads or, if the session never read any, of uncached input. */
  readonly savedNanoUsd: number | null;
  readonly rereadNanoUsd: number | null;
  /** Saved minus summary, cache miss and re-reads. Null when the saving has no price. */
  readonly netNanoUsd: number | null;
  /** Unknown costs, which it leaves out. */
  readonly leavesOut: readonly ('summary' | 'cacheMiss' | 'rereads')[];
}

export interface Weighed {
  readonly savedTokens: number | null;
  readonly turnsAfter: number;
  readonly costNanoUsd: number | null;
  readonly cacheMiss: CacheMiss | null;
  readonly regret: Regret;
  /** The first answer after it, whose prices count. */
  readonly first: AnswerNode;
  readonly prices: Prices;
}

export function netOf({
  savedTokens,
  turnsAfter,
  costNanoUsd,
  cacheMiss,
  regret,
  first,
  prices,
}: Weighed): Net | null {
  if (savedTokens === null) return null;
  const tokens = savedTokens * turnsAfter;
  const uncached = prices.uncached(first);
  const savedNanoUsd = priced(tokens, prices.cacheRead(first) ?? uncached);
  const rereadNanoUsd = regret.tokens === 0 ? 0 : priced(regret.tokens, uncached);
  const missNanoUsd = cacheMiss === null ? 0 : cacheMiss.costNanoUsd;
  const costs = { summary: costNanoUsd, cacheMiss: missNanoUsd, rereads: rereadNanoUsd };
  const known = Object.values(costs).reduce<number>((sum, cost) => sum + (cost ?? 0), 0);
  const leavesOut = (['summary', 'cacheMiss', 'rereads'] as const).filter(
    (name) => costs[name] === null,
  );
  return {
    savedTokens: tokens,
    savedNanoUsd,
    rereadNanoUsd,
    netNanoUsd: savedNanoUsd === null ? null : savedNanoUsd - known,
    leavesOut,
  };
}

function priced(tokens: number, nanoUsdPerToken: number | null): number | null {
  return nanoUsdPerToken === null ? null : Math.round(tokens * nanoUsdPerToken);
}
