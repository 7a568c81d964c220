/** What a compaction or branch summary drops from the window, and what it keeps. */
import type { CompactionFact } from '../../projections/context/facts.ts';
import { type Part, partsOf } from './composition.ts';
import { type EntryNode, type EntryTree, nodesBelow } from './entry-tree.ts';
import { estimatedTokens, fillsContext } from './estimate.ts';
import { windowContentAt } from './window-content.ts';

export interface Share {
  readonly messages: number;
  /** By the hosts' estimate. */
  readonly tokens: number;
  readonly parts: readonly Part[];
}

/**
 * A system message that the compaction repeats is not dropped, whether it is the host's own or was
 * repeated by an earlier compaction.
 */
export function droppedBy(
  node: EntryNode,
  { sizes }: CompactionFact,
  kept: readonly EntryNode[],
): readonly EntryNode[] {
  const isKept = new Set(kept);
  const before = windowContentAt(node.parent).filter((each) => !isKept.has(each));
  return sizes[3] > 0 ? withoutSystem(before) : before;
}

/** Hosts keep sending the system message, whatever else they drop. */
export function withoutSystem(nodes: readonly EntryNode[]): readonly EntryNode[] {
  return nodes.flatMap((node) => {
    const { fact } = node;
    if (fact.kind === 'message' && fact.role === 'system') return [];
    if (fact.kind !== 'compaction') return [node];
    const [textChars, thinkingChars, toolCallChars, , images] = fact.sizes;
    return [
      {
        ...node,
        fact: {
          ...fact,
          sizes: [textChars, thinkingChars, toolCallChars, 0, images],
          toolDefinitionChars: 0,
        } as const,
      },
    ];
  });
}

/**
 * The last entry below the branching point before the summary; another session's entry only when
 * the session has none of its own.
 */
export function leafLeftAt(summary: EntryNode, tree: EntryTree): EntryNode | null {
  const before = nodesBelow(summary.parent, tree).filter(({ index }) => index < summary.index);
  return before.findLast(({ isOwn }) => isOwn) ?? before.at(-1) ?? null;
}

export function shareOf(nodes: readonly EntryNode[]): Share {
  const filling = nodes.filter(({ fact }) => fillsContext(fact));
  return {
    messages: filling.length,
    tokens: filling.reduce((sum, { fact }) => sum + estimatedTokens(fact), 0),
    parts: partsOf(filling).parts,
  };
}
