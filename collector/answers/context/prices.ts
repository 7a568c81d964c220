/**
 * What a session's models charged per token, from the host's own split of each answer's cost. Null
 * without one.
 */
import { type AnswerNode, isAnswer } from './answer-node.ts';
import { createByModel } from './by-model.ts';
import type { EntryTree } from './entry-tree.ts';

export interface Prices {
  /** 10^-9 USD per token of this answer that did not come from the cache. */
  uncached(answer: AnswerNode): number | null;
  /**
   * 10^-9 USD per token that its model read from the cache, over all its answers in the session.
   */
  cacheRead(answer: AnswerNode): number | null;
}

interface Read {
  tokens: number;
  nanoUsd: number;
}

export function createPrices({ nodes }: EntryTree): Prices {
  const readOf = createByModel<Read>(() => ({ tokens: 0, nanoUsd: 0 }));
  for (const node of nodes) {
    if (!isAnswer(node) || node.fact.cacheReadNanoUsd === null) continue;
    const read = readOf(node.fact);
    read.tokens += node.fact.cacheReadTokens;
    read.nanoUsd += node.fact.cacheReadNanoUsd;
  }
  return {
    uncached({ fact: { inputTokens, cacheWriteTokens, inputNanoUsd, cacheWriteNanoUsd } }) {
      const tokens = inputTokens + cacheWriteTokens;
      return tokens === 0 || inputNanoUsd === null
        ? null
        : (inputNanoUsd + (cacheWriteNanoUsd ?? 0)) / tokens;
    },
    cacheRead(answer) {
      const { tokens, nanoUsd } = readOf(answer.fact);
      return tokens === 0 ? null : nanoUsd / tokens;
    },
  };
}
