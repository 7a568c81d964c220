/**
 * What a session's subagents accounted for, and which of its tool results are about which of them.
 *
 * A tool result that names its subagents (by `refs`) has the claims of its own: they are compared
 * with all that these subagents accounted for. Claims of other tool results share what is left:
 * accounts under their turn's key, of subagents that no such result names. What a subagent accounts
 * for after a claim was made covers nothing of that claim: it went on.
 *
 * Guarantees: what is accounted under a key or to a result is a function of the set of accounts,
 * links and claims. Pure, but for changing the state in place.
 */
import { type Amount, addAmounts } from '../amount.ts';
import { noAmounts } from '../spend-amounts.ts';
import { type Account, timeless } from './claim.ts';

export interface Children {
  /**
   * By subagent's session, then by the key of claims (`ownKey` where the account tells no turn),
   * then by time.
   */
  readonly accounts: Map<string, Map<string, Map<number, Amount[]>>>;
  /** What a subagent's session may be called, besides by its id: by session. */
  readonly names: Map<string, Set<string>>;
  /** What tool results call their subagents: by the result's entry id. */
  readonly results: Map<string, Set<string>>;
  /** The same, to be looked up from the other side; not stored. */
  readonly index: {
    readonly childrenByKey: Map<string, Set<string>>;
    readonly childrenByName: Map<string, Set<string>>;
    readonly resultsByRef: Map<string, Set<string>>;
    /** The key of the claims of a result, which may be several. */
    readonly keyOfResult: Map<string, { readonly key: string; claims: number }>;
    /** Accounts by key, names and refs. */
    stored: number;
    /** Times of accounts. */
    times: number;
  };
}

/** The sum that an account is part of: a subagent's, under a key, at a time. */
export interface AccountPlace {
  readonly child: string;
  readonly key: string;
  readonly atMs: number;
}

/** The key of accounts that tell no turn. */
export const ownKey = '';
/** What a subagent's host spent beside answers, and what its tools spent: claims may include it. */
export const besideKey = 'beside';
export const toolsKey = 'tools';

export function isBeside(key: string): boolean {
  return key === besideKey || key === toolsKey;
}

/** What covers claims. */
export interface Cover {
  readonly accounted: readonly Account[];
  /** What the claims may include or not: beside answers, and by tools. */
  readonly beside: readonly (readonly Account[])[];
}

export function createChildren(): Children {
  return {
    accounts: new Map(),
    names: new Map(),
    results: new Map(),
    index: {
      childrenByKey: new Map(),
      childrenByName: new Map(),
      resultsByRef: new Map(),
      keyOfResult: new Map(),
      stored: 0,
      times: 0,
    },
  };
}

/**
 * How much there is to store, besides each key of accounts once. An answer that is accounted for is
 * stored with its time.
 */
export function sizeOfChildren({ index }: Children, answers: number): number {
  return index.stored - index.childrenByKey.size + Math.max(index.times, answers);
}

export function addToAccount(
  { accounts, index }: Children,
  { child, key, atMs }: AccountPlace,
  amounts: readonly Amount[],
): void {
  const byKey = accounts.get(child) ?? new Map<string, Map<number, Amount[]>>();
  const byTime = byKey.get(key) ?? new Map<number, Amount[]>();
  if (atMs !== timeless && !byTime.has(atMs)) index.times += 1;
  const sum = byTime.get(atMs) ?? noAmounts.slice();
  addAmounts(sum, amounts);
  accounts.set(child, byKey.set(key, byTime.set(atMs, sum)));
  if (addTo(index.childrenByKey, key, child)) index.stored += 1;
  addTo(index.childrenByName, sessionPrefix + child, child);
}

export function addName({ names, index }: Children, child: string, ref: string): void {
  if (addTo(names, child, ref)) index.stored += 1;
  addTo(index.childrenByName, ref, child);
}

export function addRef({ results, index }: Children, result: string, ref: string): void {
  if (addTo(results, result, ref)) index.stored += 1;
  addTo(index.resultsByRef, ref, result);
}

export function removeRef({ results, index }: Children, result: string, ref: string): void {
  if (removeFrom(results, result, ref)) index.stored -= 1;
  removeFrom(index.resultsByRef, ref, result);
}

/** `by`: 1 for a claim more, -1 for one less. */
export function countClaim({ index }: Children, result: string, key: string, by: 1 | -1): void {
  const known = index.keyOfResult.get(result) ?? { key, claims: 0 };
  known.claims += by;
  if (known.claims > 0) index.keyOfResult.set(result, known);
  else index.keyOfResult.delete(result);
}

/** The subagents that the tool result is about and that accounted for something. */
export function childrenOfResult(children: Children, result: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const ref of children.results.get(result) ?? [])
    for (const child of childrenCalled(children, ref)) found.add(child);
  return found;
}

export function coverByChildren(children: Children, about: ReadonlySet<string>): Cover {
  const accounted = [...about].flatMap((child) =>
    [...(children.accounts.get(child) ?? [])].flatMap(([key, byTime]) =>
      isBeside(key) ? [] : accountsIn(byTime),
    ),
  );
  return { accounted, beside: accountsBeside(children, about) };
}

/** For the claims under this key whose tool results are about no known subagent. */
export function coverUnderKey(children: Children, key: string): Cover {
  const { childrenByKey, childrenByName } = children.index;
  const places = [
    ...[...(childrenByKey.get(key) ?? [])].map((child) => [child, key] as const),
    ...[...(childrenByName.get(key) ?? [])].map((child) => [child, ownKey] as const),
  ].filter(([child]) => !isOfResult(children, child));
  const accounted = places.flatMap(([child, accountKey]) =>
    accountsIn(children.accounts.get(child)?.get(accountKey)),
  );
  return { accounted, beside: accountsBeside(children, new Set(places.map(([child]) => child))) };
}

function accountsBeside({ accounts }: Children, about: Iterable<string>): Cover['beside'] {
  const list = [...about];
  return [besideKey, toolsKey].map((key) =>
    list.flatMap((child) => accountsIn(accounts.get(child)?.get(key))),
  );
}

function accountsIn(
  byTime: ReadonlyMap<number, readonly Amount[]> = new Map(),
): readonly Account[] {
  return [...byTime].map(([atMs, amounts]) => ({ atMs, amounts }));
}

/** The keys whose claims may count otherwise when something is said of this subagent. */
export function keysOfChild(children: Children, child: string): Set<string> {
  const keys = new Set<string>([
    ...(children.accounts.get(child)?.keys() ?? []),
    ...(children.names.get(child) ?? []),
  ]);
  for (const result of resultsAbout(children, child)) {
    const home = children.index.keyOfResult.get(result);
    if (home !== undefined) keys.add(home.key);
  }
  return keys;
}

/** The subagents that a ref calls, and that accounted for something. */
export function childrenCalled({ accounts, index }: Children, ref: string): readonly string[] {
  return [...(index.childrenByName.get(ref) ?? [])].filter((child) => accounts.has(child));
}

const sessionPrefix = 'session:';

/** Whether a tool result that claims something is about this subagent. */
function isOfResult(children: Children, child: string): boolean {
  return resultsAbout(children, child).some((result) => children.index.keyOfResult.has(result));
}

function resultsAbout({ names, index }: Children, child: string): readonly string[] {
  if (index.resultsByRef.size === 0) return [];
  const refs = [sessionPrefix + child, ...(names.get(child) ?? [])];
  return refs.flatMap((ref) => [...(index.resultsByRef.get(ref) ?? [])]);
}

/** Whether it is new. */
function addTo(sets: Map<string, Set<string>>, key: string, value: string): boolean {
  const set = sets.get(key) ?? new Set();
  const isNew = !set.has(value);
  if (isNew) sets.set(key, set.add(value));
  return isNew;
}

/** Whether it was there. */
function removeFrom(sets: Map<string, Set<string>>, key: string, value: string): boolean {
  const set = sets.get(key);
  const wasThere = set?.delete(value) === true;
  if (set?.size === 0) sets.delete(key);
  return wasThere;
}
