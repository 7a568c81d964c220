/** What a subagent recorded itself, as its parent is told. Pure. */
import { countNames } from './claim-order.ts';

export interface Accounted {
  inputTokens: bigint;
  outputTokens: bigint;
  cacheReadTokens: bigint;
  cacheWriteTokens: bigint;
  reasoningTokens: bigint;
  nanoUsd: bigint;
}

export function nothingAccounted(): Accounted {
  return {
    inputTokens: 0n,
    outputTokens: 0n,
    cacheReadTokens: 0n,
    cacheWriteTokens: 0n,
    reasoningTokens: 0n,
    nanoUsd: 0n,
  };
}

export function addAccounted(sum: Accounted, by: Accounted): void {
  for (const name of countNames) sum[name] += by[name];
  sum.nanoUsd += by.nanoUsd;
}

export function addTo(sums: Map<string, Accounted>, key: string, by: Accounted): void {
  const sum = sums.get(key) ?? nothingAccounted();
  addAccounted(sum, by);
  sums.set(key, sum);
}
