/** What one parent session claims, and what its subagents account for, at which time. Pure. */
import type { Accounted } from './accounted.ts';
import { noTies, type Ties, tiedChildren } from './ties.ts';
import { claimKeyOf, type Unit } from './unit.ts';

/** It covers what is claimed at its time and later. */
export interface TimedAccount {
  readonly timeMs: number;
  readonly accounted: Accounted;
}

/** What covers claims that share it. */
export interface ClaimCover {
  readonly accounts: readonly TimedAccount[];
  /** What claims may include or not: what hosts spent beside answers, and what tools spent. */
  readonly beside: readonly TimedAccount[];
  readonly byTools: readonly TimedAccount[];
}

/** For what a subagent's tools spent: no sum that covers a claim has it. */
export const toolsKey = 'tools:';

/** By subagent, then by key. */
export type AccountsByChild = Map<string, Map<string, TimedAccount[]>>;

/** The claims and accounts of one parent session. */
export interface ClaimBook {
  readonly claims: Unit[];
  /** Accounts without single answers. */
  readonly sums: AccountsByChild;
  /** By `response:` key. */
  readonly answers: Map<string, Answer>;
  readonly ties: Ties;
  /** At which times which subagent accounts for something, for counting. */
  readonly times: Set<string>;
}

interface Answer extends TimedAccount {
  readonly child: string;
  /** Keys of the sums it was also accounted for in. */
  readonly sumKeys: readonly string[];
}

/** The most claims of one side, which are all held in memory at about 500 bytes each. */
export const claimsMax = 1_000_000;

/** Beyond this many keys and claims, the views only compare sums over all keys. */
const exactMax = 10_000;

export function noClaims(): ClaimBook {
  return { claims: [], sums: new Map(), answers: new Map(), ties: noTies(), times: new Set() };
}

export function isExact({ claims, sums, answers, ties, times }: ClaimBook): boolean {
  const keys = new Set([...sums.values()].flatMap((byKey) => [...byKey.keys()]));
  const stored = Math.max(answers.size, times.size);
  return claims.length + keys.size + stored + ties.size <= exactMax;
}

/** An answer that is accounted for several times is part of the sum that it was in first. */
export function addAccount(
  book: ClaimBook,
  child: string,
  keys: readonly string[],
  accounted: Accounted,
  timeMs = 0,
): void {
  const response = keys.find(isResponse);
  const sumKeys = keys.filter((key) => !isResponse(key));
  for (const key of sumKeys.length > 0 ? sumKeys : [toolsKey])
    if (isTimed(key)) book.times.add(JSON.stringify([child, key, timeMs]));
  if (response === undefined) {
    for (const key of sumKeys) addSum(book.sums, child, key, { timeMs, accounted });
    return;
  }
  const known = book.answers.get(response);
  const answer = { child, sumKeys, accounted, timeMs };
  if (known === undefined || isBefore(answer, known)) book.answers.set(response, answer);
}

/** What covers claims: an answer that is claimed on its own covers nothing of a sum. */
export function coveringAccounts(
  { sums, answers }: ClaimBook,
  isClaimed: (response: string) => boolean,
): AccountsByChild {
  const covering: AccountsByChild = new Map(
    [...sums].map(([child, byKey]) => [
      child,
      new Map([...byKey].map(([key, accounts]) => [key, [...accounts]])),
    ]),
  );
  for (const [response, { child, sumKeys, accounted, timeMs }] of answers) {
    if (!covering.has(child)) covering.set(child, new Map());
    if (isClaimed(response)) continue;
    for (const key of sumKeys.length > 0 ? sumKeys : [toolsKey])
      addSum(covering, child, key, { timeMs, accounted });
  }
  return covering;
}

/** The subagents of tool results that claim something. */
export function tiedIn({ ties, claims }: ClaimBook, sums: AccountsByChild): ReadonlySet<string> {
  if (ties.size === 0) return new Set();
  const claiming = claims.filter((unit) => unit.reported && isTurn(claimKeyOf(unit) ?? ''));
  return new Set(claiming.flatMap(({ entryId }) => [...tiedChildren(ties, entryId, sums)]));
}

/** What subagents under this key accounted for, without those of a tied tool result. */
export function sharedCover(
  { ties }: ClaimBook,
  sums: AccountsByChild,
  key: string,
  tied: ReadonlySet<string>,
): ClaimCover {
  const covers = [...sums].flatMap(([child, byKey]): readonly ClaimCover[] => {
    if (tied.has(child)) return [];
    const own = ties.names.get(child)?.has(key) === true ? [...byKey.keys()].filter(isOwn) : [];
    const keys = [key, ...own].filter((each) => byKey.has(each));
    return keys.length === 0 ? [] : [coverBy(byKey, (each) => keys.includes(each))];
  });
  return joined(covers);
}

/** Tool results of a turn that are tied to the same subagents, directly or by way of others. */
interface SharingResults {
  readonly entryIds: ReadonlySet<string>;
  readonly children: ReadonlySet<string>;
}

export function sharingResults(
  { ties }: ClaimBook,
  sums: AccountsByChild,
  claims: readonly Unit[],
): readonly SharingResults[] {
  if (ties.size === 0) return [];
  let found: readonly SharingResults[] = [];
  for (const entryId of new Set(claims.map((claim) => claim.entryId))) {
    const children = tiedChildren(ties, entryId, sums);
    if (children.size === 0) continue;
    const isShared = (other: SharingResults) => [...children].some((id) => other.children.has(id));
    const all = [{ entryIds: new Set([entryId]), children }, ...found.filter(isShared)];
    const joinedAll = {
      entryIds: new Set(all.flatMap((each) => [...each.entryIds])),
      children: new Set(all.flatMap((each) => [...each.children])),
    };
    found = [...found.filter((other) => !isShared(other)), joinedAll];
  }
  return found;
}

export function computeCover(sums: AccountsByChild, children: ReadonlySet<string>): ClaimCover {
  return joined(
    [...children].map((child) => coverBy(sums.get(child) ?? new Map(), (key) => !isAside(key))),
  );
}

function coverBy(
  byKey: ReadonlyMap<string, readonly TimedAccount[]>,
  isCovering: (key: string) => boolean,
): ClaimCover {
  const under = (isMeant: (key: string) => boolean) =>
    [...byKey].flatMap(([key, accounts]) => (isMeant(key) ? accounts : []));
  return {
    accounts: under(isCovering),
    beside: under((key) => key.startsWith('beside:')),
    byTools: under((key) => key === toolsKey),
  };
}

function joined(covers: readonly ClaimCover[]): ClaimCover {
  return {
    accounts: covers.flatMap(({ accounts }) => accounts),
    beside: covers.flatMap(({ beside }) => beside),
    byTools: covers.flatMap(({ byTools }) => byTools),
  };
}

export function isTurn(key: string): boolean {
  return key.startsWith('turn:');
}

export function isResponse(key: string): boolean {
  return key.startsWith('response:');
}

/** omp's sums by name cover claims of any time. */
function isTimed(key: string): boolean {
  return isTurn(key) || isOwn(key) || isAside(key);
}

function isAside(key: string): boolean {
  return key.startsWith('beside:') || key === toolsKey;
}

/** The key of accounts that tell no turn. */
function isOwn(key: string): boolean {
  return key.startsWith('session:');
}

function addSum(sums: AccountsByChild, child: string, key: string, by: TimedAccount): void {
  const byKey = sums.get(child) ?? new Map<string, TimedAccount[]>();
  const accounts = byKey.get(key) ?? [];
  accounts.push({ ...by, timeMs: isTimed(key) ? by.timeMs : 0 });
  sums.set(child, byKey.set(key, accounts));
}

function isBefore(left: Answer, right: Answer): boolean {
  const [isPart, isPartAlready] = [left.sumKeys.length > 0, right.sumKeys.length > 0];
  if (isPart !== isPartAlready) return isPart;
  return left.timeMs < right.timeMs || (left.timeMs === right.timeMs && left.child < right.child);
}
