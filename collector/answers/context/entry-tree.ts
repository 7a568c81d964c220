/**
 * The tree of a session's entries.
 *
 * Entries that the ledger does not record (labels, titles, extensions' own data) leave holes: an
 * entry below a hole is attached to the latest earlier entry of the same answer's tool calls or,
 * failing that, of the same prompt. That is exact unless the session branched within this prompt. A
 * fork's file begins with entries of its ancestors: pass these in, and its paths continue into
 * them. What began in a session may continue in a fork of it.
 */
import type { EntryFact } from '../../projections/context/facts.ts';
import type { SessionFacts } from './session-facts.ts';

export interface EntryNode {
  /** Its index in the tree's nodes. */
  readonly index: number;
  readonly fact: EntryFact;
  /** It is null at the root, and where the ledger knows no parent. */
  readonly parent: EntryNode | null;
  /** False for an entry of another session. */
  readonly isOwn: boolean;
  /** The nearest answer above that reported its usage. */
  readonly answer: EntryNode | null;
  /** The nearest compaction or clearing of the context above this node. */
  readonly cut: EntryNode | null;
  /** For an edit that replaced an entry's content: that entry with its new sizes. */
  readonly stead: EntryNode | null;
}

export interface EntryTree {
  /** All nodes, parents first, otherwise by time. */
  readonly nodes: readonly EntryNode[];
  node(entryId: string): EntryNode | null;
  /** The session's own last entry. */
  readonly leaf: EntryNode | null;
}

/**
 * `others`: sessions it was forked from or that were forked from it. An entry that the session has
 * too is its own.
 */
export function createEntryTree(
  own: SessionFacts,
  others: readonly SessionFacts[] = [],
): EntryTree {
  const found = new Map<string, LinkedNode>();
  for (const [index, { entries }] of [own, ...others].entries()) {
    for (const fact of entries) {
      if (isMore(fact, found.get(fact.id))) found.set(fact.id, unlinked(fact, index === 0));
    }
  }
  const ordered = inOrder(found);
  setParents(ordered, found);
  const nodes = settled(ordered, found);
  return {
    nodes,
    node: (entryId) => found.get(entryId) ?? null,
    leaf: nodes.findLast(({ isOwn }) => isOwn) ?? null,
  };
}

/** From the root to `node`, both included. */
export function pathTo(node: EntryNode | null): EntryNode[] {
  const path: EntryNode[] = [];
  for (let at = node; at !== null; at = at.parent) path.push(at);
  return path.reverse();
}

/** All nodes below `node`, parents first. */
export function nodesBelow(node: EntryNode | null, { nodes }: EntryTree): readonly EntryNode[] {
  const isBelow = new Uint8Array(nodes.length);
  return nodes.slice(node === null ? 0 : node.index + 1).filter(({ parent, index }) => {
    const below = parent === node || (parent !== null && isBelow[parent.index] === 1);
    if (below) isBelow[index] = 1;
    return below;
  });
}

type LinkedNode = {
  -readonly [Name in keyof EntryNode]: Name extends 'parent' | 'answer' | 'cut'
    ? LinkedNode | null
    : EntryNode[Name];
};

const unsettled = -1;
/** Part of the chain being settled. */
const inChain = -2;

function unlinked(fact: EntryFact, isOwn: boolean): LinkedNode {
  return { index: unsettled, fact, parent: null, isOwn, answer: null, cut: null, stead: null };
}

/**
 * A message of an unknown role with usage gives two events; the one that fills the context counts.
 */
function isMore(fact: EntryFact, known: LinkedNode | undefined): boolean {
  return (
    known === undefined || (known.isOwn && known.fact.kind === 'usage' && fact.kind !== 'usage')
  );
}

/** By time; within one millisecond, parents first. */
function inOrder(found: ReadonlyMap<string, LinkedNode>): readonly LinkedNode[] {
  return [...found.values()].sort(({ fact: left }, { fact: right }) => {
    if (left.time !== right.time) return left.time < right.time ? -1 : 1;
    return depthIn(found, left) - depthIn(found, right) || (left.id < right.id ? -1 : 1);
  });
}

const sameTimeMax = 1_000;

/** How many entries above have the same millisecond. */
function depthIn(found: ReadonlyMap<string, LinkedNode>, fact: EntryFact): number {
  let depth = 0;
  let above = found.get(fact.parentId ?? '')?.fact;
  while (above !== undefined && above.time === fact.time && depth < sameTimeMax) {
    depth += 1;
    above = found.get(above.parentId ?? '')?.fact;
  }
  return depth;
}

/** The last entry so far of each answer's tool calls and of each prompt. */
interface Latest {
  readonly ofTurn: Map<string, LinkedNode>;
  readonly ofPrompt: Map<string, LinkedNode>;
}

function setParents(ordered: readonly LinkedNode[], found: ReadonlyMap<string, LinkedNode>): void {
  const latest: Latest = { ofTurn: new Map(), ofPrompt: new Map() };
  for (const node of ordered) {
    const { parentId } = node.fact;
    const parent =
      parentId === null ? null : (found.get(parentId) ?? insteadOfHole(node.fact, latest));
    if (parent !== node) node.parent = parent;
    note(node, latest);
  }
}

/** Stands in for an unrecorded entry: the latest entry of the nearest group. */
function insteadOfHole(fact: EntryFact, { ofTurn, ofPrompt }: Latest): LinkedNode | null {
  const inTurn = fact.kind === 'tool' && fact.turnId !== null ? ofTurn.get(fact.turnId) : undefined;
  return inTurn ?? ofPrompt.get(fact.promptId ?? '') ?? null;
}

function note(node: LinkedNode, { ofTurn, ofPrompt }: Latest): void {
  const { fact } = node;
  ofPrompt.set(fact.kind === 'user' ? fact.id : (fact.promptId ?? ''), node);
  if (fact.kind === 'turn') ofTurn.set(fact.id, node);
  if (fact.kind === 'tool' && fact.turnId !== null) ofTurn.set(fact.turnId, node);
}

/** Orders parents before children even when a clock was set back; cuts a cycle in damaged data. */
function settled(
  ordered: readonly LinkedNode[],
  found: ReadonlyMap<string, LinkedNode>,
): readonly EntryNode[] {
  const nodes: LinkedNode[] = [];
  const chain: LinkedNode[] = [];
  for (const each of ordered) {
    for (
      let node: LinkedNode | null = each;
      node !== null && node.index === unsettled;
      node = node.parent
    ) {
      node.index = inChain;
      chain.push(node);
    }
    for (let node = chain.pop(); node !== undefined; node = chain.pop()) {
      if (node.parent?.index === inChain) node.parent = null;
      settle(node, found);
      node.index = nodes.push(node) - 1;
    }
  }
  return nodes;
}

function settle(node: LinkedNode, found: ReadonlyMap<string, LinkedNode>): void {
  const { parent, fact } = node;
  node.answer = parent !== null && isAnswer(parent) ? parent : (parent?.answer ?? null);
  node.cut = parent !== null && cutsContext(parent) ? parent : (parent?.cut ?? null);
  if (fact.kind !== 'edit' || fact.removed) return;
  const target = found.get(fact.targetId ?? '');
  if (target !== undefined) node.stead = { ...target, fact: { ...target.fact, sizes: fact.sizes } };
}

function isAnswer({ fact }: EntryNode): boolean {
  return fact.kind === 'turn' && fact.reported;
}

function cutsContext({ fact }: EntryNode): boolean {
  return fact.kind === 'compaction' || (fact.kind === 'edit' && fact.targetId === null);
}
