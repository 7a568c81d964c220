/** Files that were read before a compaction, dropped by it, and read again soon after. */
import type { ToolFact } from '../../projections/context/facts.ts';
import type { EntryNode } from './entry-tree.ts';
import { estimatedTokens } from './estimate.ts';

export interface Regret {
  /** Repeated reads, each counted. */
  readonly reads: number;
  readonly tokens: number;
  /** The dropped files that were read again. */
  readonly paths: readonly string[];
}

/** Turns after the compaction in which a repeated read counts. */
const turnsMax = 10;

/** `after`: the entries below the compaction and above the next, parents first. */
export function regretOf(
  compaction: EntryNode,
  kept: readonly EntryNode[],
  after: readonly EntryNode[],
): Regret {
  const reads = readsWithin(after);
  const dropped = droppedPaths(new Set(reads.flatMap(({ paths }) => paths)), compaction, kept);
  const again = reads.filter(({ paths }) => paths.some((path) => dropped.has(path)));
  return {
    reads: again.length,
    tokens: again.reduce((sum, fact) => sum + estimatedTokens(fact), 0),
    paths: [...new Set(again.flatMap(({ paths }) => paths.filter((path) => dropped.has(path))))],
  };
}

/** Those of `paths` that were read before the compaction and are not in what it kept. */
function droppedPaths(
  paths: ReadonlySet<string>,
  compaction: EntryNode,
  kept: readonly EntryNode[],
): ReadonlySet<string> {
  const keptPaths = new Set(kept.flatMap(readPaths));
  const wanted = new Set([...paths].filter((path) => !keptPaths.has(path)));
  const dropped = new Set<string>();
  for (let at = compaction.parent; at !== null && dropped.size < wanted.size; at = at.parent) {
    for (const path of readPaths(at)) if (wanted.has(path)) dropped.add(path);
  }
  return dropped;
}

function readPaths({ fact }: EntryNode): readonly string[] {
  return isRead(fact) ? fact.paths : [];
}

function readsWithin(after: readonly EntryNode[]): readonly ToolFact[] {
  const reads: ToolFact[] = [];
  let turns = 0;
  for (const { fact } of after) {
    if (fact.kind === 'turn') turns += 1;
    if (turns > turnsMax) break;
    if (isRead(fact)) reads.push(fact);
  }
  return reads;
}

/** omp puts `_` before tool names on some APIs. */
function isRead(fact: EntryNode['fact']): fact is ToolFact {
  return (
    fact.kind === 'tool' && !fact.isError && (fact.toolName === 'read' || fact.toolName === '_read')
  );
}
