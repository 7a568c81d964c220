/**
 * Which entries of a path are sent: compactions cut it, and edits remove entries, replace their
 * content, or clear everything above.
 *
 * An edit applies from its own position on; of several edits of one entry, the latest applies.
 * Replaced content is represented by the entry with other sizes (`EntryNode.stead`).
 */
import type { CompactionFact } from '../../projections/context/facts.ts';
import type { EntryNode } from './entry-tree.ts';

/**
 * What is sent with `node` as the last entry: after a compaction, its summary, what it kept, and
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

/** What a compaction left in the context, without its summary. */
export function keptBy(compaction: EntryNode): EntryNode[] {
  return kept(compaction, new Map());
}

/** Whether nothing above the node is sent from here on. */
export function isClearing({ fact }: EntryNode): boolean {
  return fact.kind === 'edit' && fact.targetId === null;
}

/** Replacements by the id of the edited entry; null when it was removed. */
type Edited = Map<string, EntryNode | null>;

/** Walking up, edits come before the entries they change. */
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
  /** When the first kept entry is not recorded: the first known entry behind it. */
  let behindHole = 0;
  /** With several unrecorded entries in a row: the entry behind any hole, if there is only one. */
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
 * Only the newest compaction's summary is sent. If it repeats the system message, the earlier ones
 * are dropped.
 */
function stillSent(upwards: readonly EntryNode[], repeatsSystem: boolean): EntryNode[] {
  const isSent = ({ fact }: EntryNode) =>
    fact.kind !== 'compaction' &&
    !(repeatsSystem && fact.kind === 'message' && fact.role === 'system');
  return upwards.filter(isSent).reverse();
}
