/**
 * Which subagents a tool result is about: it names them by `refs`, and they say what they are
 * called. Pure.
 */

export interface Ties {
  /** By the tool result's entry id. */
  readonly refs: Map<string, Set<string>>;
  /** By the subagent's session: names besides its id. */
  readonly names: Map<string, Set<string>>;
  size: number;
}

export function noTies(): Ties {
  return { refs: new Map(), names: new Map(), size: 0 };
}

export function addRef(ties: Ties, entryId: string, ref: string): void {
  add(ties, ties.refs, entryId, ref);
}

export function removeRef(ties: Ties, entryId: string, ref: string): void {
  if (ties.refs.get(entryId)?.delete(ref) === true) ties.size -= 1;
}

export function addName(ties: Ties, child: string, ref: string): void {
  add(ties, ties.names, child, ref);
}

/** Those that accounted for anything. */
export function tiedChildren(
  ties: Ties,
  entryId: string,
  accounts: ReadonlyMap<string, unknown>,
): ReadonlySet<string> {
  const refs = ties.refs.get(entryId);
  if (refs === undefined) return new Set();
  const isMeant = (child: string) =>
    refs.has(`session:${child}`) ||
    [...(ties.names.get(child) ?? [])].some((name) => refs.has(name));
  return new Set([...accounts.keys()].filter(isMeant));
}

function add(ties: Ties, sets: Map<string, Set<string>>, key: string, ref: string): void {
  const known = sets.get(key) ?? new Set<string>();
  if (known.has(ref)) return;
  sets.set(key, known.add(ref));
  ties.size += 1;
}
