/**
 * What of a path is sent: compactions cut it, and edits take entries out of it, give them other
 * content, or clear all above.
 *
 * An edit counts from its own place on, and the latest of several of one entry. What it put in the
 * place of an entry stands there as that entry with other sizes (`Node.stead`).
 */
import type { CompactionFact } from '../../projections/context/facts.ts';
import type { EntryNode } from './entry-tree.ts';

/**
 * What is sent with `node` as the last entry: behind a compaction its summary, what it kept, and
 * what came after.
 */
export function windowContentAt(node: EntryNode | null): EntryNode[] {
  const edited: Edited = new Map();
  const after: EntryNode[] = [];
  let at = node;
  while (at !== null && at.fact.kind !== 'compaction') {
    if (isClearing(at)) return after.reverse();
    take(at, edited, after);
    at = at.parent;
  }
  after.reverse();
  return at === null ? after : [at, ...kept(at, edited), ...after];
}

/** What a compaction left in the context, its summary aside. */
export function keptBy(compaction: EntryNode): EntryNode[] {
  return kept(compaction, new Map());
}

/** From here on nothing above is sent. */
export function isClearing({ fact }: EntryNode): boolean {
  return fact.kind === 'edit' && fact.targetId === null;
}

/** By the entry that was edited: what is in its place; null: nothing. */
type Edited = Map<string, EntryNode | null>;

/** Edits are met before what they change: it stands above them. */
function take(node: EntryNode, edited: Edited, into: EntryNode[]): void {
  const { fact, stead } = node;
  if (fact.kind === 'edit') {
    if (fact.targetId !== null && !edited.has(fact.targetId)) edited.set(fact.targetId, stead);
    return;
  }
  const sent = edited.has(fact.id) ? (edited.get(fact.id) ?? null) : node;
  if (sent !== null) into.push(sent);
}

function kept(compaction: EntryNode, edited: Edited): EntryNode[] {
  const { firstKeptId, id, sizes } = compaction.fact as CompactionFact;
  if (firstKeptId === null || firstKeptId === id) return [];
  const upwards: EntryNode[] = [];
  const repeatsSystem = sizes[3] > 0;
  /** Where the entry itself is one that the ledger does not hold: the first known one behind it. */
  let behindHole = 0;
  /**
   * Several of those in a row: the one that stands behind any is behind these, if it is the only
   * one.
   */
  const behindAny: number[] = [];
  for (let at = compaction.parent; at !== null && !isClearing(at); at = at.parent) {
    take(at, edited, upwards);
    if (at.fact.id === firstKeptId) return stillSent(upwards, repeatsSystem);
    if (at.fact.parentId === firstKeptId) behindHole = upwards.length;
    if (isBehindHole(at)) behindAny.push(upwards.length);
  }
  const [only = 0, ...others] = behindAny;
  const known = behindHole > 0 || others.length > 0 ? behindHole : only;
  return stillSent(upwards.slice(0, known), repeatsSystem);
}

function isBehindHole({ fact, parent }: EntryNode): boolean {
  return fact.parentId !== null && parent?.fact.id !== fact.parentId;
}

/**
 * Only the newest compaction speaks; one that repeats the system message replaces the earlier ones.
 */
function stillSent(upwards: readonly EntryNode[], repeatsSystem: boolean): EntryNode[] {
  const isSent = ({ fact }: EntryNode) =>
    fact.kind !== 'compaction' &&
    !(repeatsSystem && fact.kind === 'message' && fact.role === 'system');
  return upwards.filter(isSent).reverse();
}
