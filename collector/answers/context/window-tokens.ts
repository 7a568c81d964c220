/**
 * How many tokens the context holds after each entry, as far as known: the figure that the host
 * compares with its threshold.
 */
import type { TurnFact } from '../../projections/context/facts.ts';
import type { EntryNode, EntryTree } from './entry-tree.ts';
import { estimatedTokens } from './estimate.ts';

export type FigureSource = 'provider' | 'estimate' | 'unknown';

export interface WindowTokens {
  readonly tokens: number | null;
  readonly source: FigureSource;
}

/** Tokens sent for an answer, by the provider's own count. */
export function sentTokens({ inputTokens, cacheReadTokens, cacheWriteTokens }: TurnFact): number {
  return inputTokens + cacheReadTokens + cacheWriteTokens;
}

/**
 * After an answer: what was sent and what came back. After other entries: that plus an estimate of
 * them. Null right after a compaction or a clearing.
 */
export function createWindowTokens({ nodes }: EntryTree): (node: EntryNode | null) => WindowTokens {
  const held: WindowTokens[] = [];
  const heldAt = (node: EntryNode | null): WindowTokens =>
    node === null ? nothing : (held[node.index] ?? unknown);
  for (const node of nodes) held.push(after(node, heldAt(node.parent)));
  return heldAt;
}

const nothing: WindowTokens = { tokens: 0, source: 'estimate' };
const unknown: WindowTokens = { tokens: null, source: 'unknown' };

function after(node: EntryNode, above: WindowTokens): WindowTokens {
  const { fact } = node;
  if (fact.kind === 'turn' && fact.reported)
    return { tokens: sentTokens(fact) + fact.outputTokens, source: 'provider' };
  if (fact.kind === 'compaction' || (fact.kind === 'edit' && fact.targetId === null))
    return unknown;
  const added =
    fact.kind === 'edit'
      ? weightOf(node.stead) - weightBefore(node, fact.targetId)
      : estimatedTokens(fact);
  return added === 0 || above.tokens === null
    ? above
    : { tokens: Math.max(0, above.tokens + added), source: 'estimate' };
}

/** The weight of what this edit replaces. */
function weightBefore(edit: EntryNode, targetId: string | null): number {
  for (let at = edit.parent; at !== null; at = at.parent) {
    if (at.fact.kind === 'edit' && at.fact.targetId === targetId) return weightOf(at.stead);
    if (at.fact.id === targetId) return weightOf(at);
  }
  return 0;
}

function weightOf(node: EntryNode | null): number {
  return node === null ? 0 : estimatedTokens(node.fact);
}
