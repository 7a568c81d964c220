/** Updates the counted part of claims after something was said of them or of their subagents. */
import type { Amount } from '../amount.ts';
import { noAmounts } from '../spend-amounts.ts';
import { withoutTotals } from '../totals.ts';
import { type Children, childrenOfResult, coverByChildren, coverUnderKey } from './children.ts';
import { type Claim, type ClaimGroup, compareClaims, computeRests } from './claim.ts';
import { type LineName, noVariant } from './line-name.ts';
import type { Counting } from './regroup.ts';
import { type ClaimedResults, findRepeated } from './repeated-results.ts';
import { changeRest } from './spending.ts';

/** The claims of one key, sorted. */
export interface KeyedClaims {
  claims: Claim[];
}

/**
 * Those of one tool result that is about known subagents are a group of their own; several of a
 * turn that may be about the same subagent share what it accounted for. What says again what
 * another result says takes nothing of it.
 */
export function groupClaims(
  claimed: ClaimedResults,
  key: string,
  { claims: all }: KeyedClaims,
): readonly ClaimGroup[] {
  const { children } = claimed;
  const isTied = children.results.size > 0 && isOfTurn(key);
  const again = isTied ? findRepeated(claimed, all) : null;
  if (again !== null && again.size > 0) {
    const [repeated, claims] = partition(all, ({ result }) => again.has(result));
    return [
      { claims: repeated, accounted: [], isRepeated: true },
      ...groupCounted(children, key, claims, isTied),
    ];
  }
  return groupCounted(children, key, all, isTied);
}

function partition<Each>(
  list: readonly Each[],
  isMeant: (each: Each) => boolean,
): readonly [readonly Each[], readonly Each[]] {
  return [list.filter(isMeant), list.filter((each) => !isMeant(each))];
}

function groupCounted(
  children: Children,
  key: string,
  claims: readonly Claim[],
  isTied: boolean,
): readonly ClaimGroup[] {
  const families = isTied ? groupFamilies(children, claims) : null;
  const groups = Map.groupBy(claims, ({ result }) => families?.get(result) ?? null);
  return [...groups].map(([family, group]) => ({
    claims: group,
    ...(family === null ? coverUnderKey(children, key) : coverByChildren(children, family)),
  }));
}

type Family = Set<string>;

/** By tool result: its subagents, and those of results that share some; none without any. */
function groupFamilies(children: Children, claims: readonly Claim[]): ReadonlyMap<string, Family> {
  const ofChild = new Map<string, Family>();
  const firstOf = new Map<string, string>();
  for (const result of new Set(claims.map((claim) => claim.result))) {
    const own = [...childrenOfResult(children, result)];
    const [first] = own;
    if (first === undefined) continue;
    firstOf.set(result, first);
    const family = new Set(own.flatMap((child) => [child, ...(ofChild.get(child) ?? [])]));
    for (const child of family) ofChild.set(child, family);
  }
  return new Map([...firstOf].map(([result, first]) => [result, ofChild.get(first) ?? new Set()]));
}

/** omp's claims are by the subagent's name, and need no tie. */
export function isOfTurn(key: string): boolean {
  return key.startsWith('turn:');
}

export function settleGroup(group: ClaimGroup, counting: Counting): void {
  const rests = computeRests(group);
  group.claims.forEach((claim, index) => {
    setRest(claim, rests[index] ?? noAmounts, counting);
  });
}

export function insertClaim(claims: Claim[], claim: Claim): void {
  claims.splice(claims.findLastIndex((each) => compareClaims(each, claim) < 0) + 1, 0, claim);
}

export function setRest(claim: Claim, after: readonly Amount[], counting: Counting): void {
  const { atMs, rest: before } = claim;
  const minute = Math.floor(atMs / 60_000);
  changeRest(counting, { minute, name: claimLineName(claim), before, after });
  claim.rest = after;
}

/** What a claim counts under. */
export function claimLineName({ provider, asker = '', model, costSource }: Claim): LineName {
  return { ...noVariant, provider: provider || asker, model, kind: 'tool', costSource };
}

export function setTime(claim: Claim, atMs: number, counting: Counting): void {
  if (claim.atMs === atMs) return;
  const { rest } = claim;
  const quiet = { ...counting, emit: withoutTotals(counting.emit) };
  setRest(claim, noAmounts, quiet);
  claim.atMs = atMs;
  setRest(claim, rest, quiet);
}
