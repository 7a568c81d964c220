/**
 * Everything that can be asked of one session's context, computed on first use and then kept. Pure.
 */

import type { ContextChunk } from '../../projections/context/chunk.ts';
import { type AuditRow, auditOf } from '../context/audit.ts';
import { type CacheMiss, cacheMissesOf } from '../context/cache-misses.ts';
import { type Composition, createCompositions } from '../context/composition.ts';
import { createEntryTree, type EntryNode, type EntryTree } from '../context/entry-tree.ts';
import { type LargestResult, largestResultsOf } from '../context/largest-results.ts';
import { type Point, seriesOf } from '../context/series.ts';
import { type SessionFacts, sessionFactsOf } from '../context/session-facts.ts';
import type { HostFamily } from '../context/threshold.ts';
import { type Item, timelineItemsOf } from '../context/timeline-items.ts';

export interface SessionContext {
  readonly facts: SessionFacts;
  readonly tree: EntryTree;
  /** Entries, including those of the other sessions of its tree: its weight in the cache. */
  readonly entries: number;
  readonly points: () => readonly Point[];
  readonly audit: () => readonly AuditRow[];
  readonly cacheMisses: () => readonly CacheMiss[];
  readonly largestResults: () => readonly LargestResult[];
  readonly items: () => readonly Item[];
  compositionAt(node: EntryNode | null): Composition;
}

const resultsMax = 50;

/** `chunks`: its own, then those of the sessions it was forked from and of its forks. */
export function createSessionContext(
  ids: readonly string[],
  chunks: readonly (readonly ContextChunk[])[],
  host: HostFamily,
): SessionContext {
  const [facts = sessionFactsOf('', []), ...others] = ids.map((id, index) =>
    sessionFactsOf(id, chunks[index] ?? []),
  );
  const tree = createEntryTree(facts, others);
  const compositions = once(() => createCompositions(tree, facts.fixtures));
  return {
    facts,
    tree,
    entries: tree.nodes.length,
    points: once(() => seriesOf(tree, facts, host)),
    audit: once(() => auditOf(tree, facts, host)),
    cacheMisses: once(() => cacheMissesOf(tree, facts.fixtures)),
    items: once(() => timelineItemsOf(tree, facts)),
    largestResults: once(() => largestResultsOf(tree, resultsMax)),
    compositionAt: (node) => compositions()(node),
  };
}

function once<Value>(compute: () => Value): () => Value {
  let known: { readonly value: Value } | null = null;
  return () => {
    known ??= { value: compute() };
    return known.value;
  };
}
