/** The largest tool results by the hosts' estimate, with the files that their calls named. */

import type { EntryTree } from './entry-tree.ts';
import { estimatedTokens } from './estimate.ts';
import { windowContentAt } from './window-content.ts';

export interface LargestResult {
  readonly entryId: string;
  readonly time: string;
  readonly toolName: string;
  readonly paths: readonly string[];
  readonly tokens: number;
  /** Whether it is still sent with each turn. */
  readonly isInContext: boolean;
}

export function largestResultsOf(tree: EntryTree, resultsMax: number): readonly LargestResult[] {
  const inContext = new Set(windowContentAt(tree.leaf));
  const results: LargestResult[] = [];
  for (const node of tree.nodes) {
    const { fact } = node;
    if (!node.isOwn || fact.kind !== 'tool') continue;
    const { id, time, toolName, paths } = fact;
    results.push({
      entryId: id,
      time,
      toolName,
      paths,
      tokens: estimatedTokens(fact),
      isInContext: inContext.has(node),
    });
  }
  return results
    .sort((left, right) => right.tokens - left.tokens || (left.time < right.time ? -1 : 1))
    .slice(0, resultsMax);
}
