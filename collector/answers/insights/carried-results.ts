/**
 * What large tool results cost on the way: they are sent with every answer until a compaction drops
 * them. Sizes are estimated from characters, so the cost is an estimate. Pure.
 */
import { type AnswerNode, isAnswer } from '../context/answer-node.ts';
import { nodesBelow } from '../context/entry-tree.ts';
import type { LargestResult } from '../context/largest-results.ts';
import { createPrices, type Prices } from '../context/prices.ts';
import type { SessionContext } from '../contexts/session-context.ts';

export interface CarriedResult extends LargestResult {
  /** Answers that it was sent for. */
  readonly answers: number;
  /** Sent once at the price of uncached input, then at that of cache reads. Null: no price. */
  readonly costNanoUsd: number | null;
}

const tokensMin = 10_000;
const resultsMax = 20;

/** Those of at least ten thousand tokens, the largest twenty of them. */
export function carriedResults({ tree, largestResults }: SessionContext): CarriedResult[] {
  const large = largestResults()
    .filter(({ tokens }) => tokens >= tokensMin)
    .slice(0, resultsMax);
  if (large.length === 0) return [];
  const prices = createPrices(tree);
  return large.flatMap((result) => {
    const node = tree.node(result.entryId);
    if (node === null) return [];
    const answers = nodesBelow(node, tree)
      .filter(isAnswer)
      .filter(({ cut }) => cut === node.cut);
    const [first] = answers;
    if (first === undefined) return [];
    const costNanoUsd = costOf(result.tokens, first, answers.length, prices);
    return [{ ...result, answers: answers.length, costNanoUsd }];
  });
}

function costOf(tokens: number, first: AnswerNode, answers: number, prices: Prices): number | null {
  const uncached = prices.uncached(first);
  const cached = prices.cacheRead(first) ?? uncached;
  return uncached === null || cached === null
    ? null
    : Math.round(tokens * uncached + tokens * cached * (answers - 1));
}
