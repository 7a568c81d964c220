/** Updates the counted part of claims after something was said of them or of their subagents. */
import type { Amount } from '../amount.ts';
import { withoutTotals } from '../totals.ts';
import { type Children, childrenOfResult, coverOfResult, coverUnderKey } from './children.ts';
import { type Claim, type ClaimGroup, compareClaims, restsOf, zeroAmounts } from './claim.ts';
import { type LineName, noVariant } from './line-name.ts';
import type { Counting } from './regroup.ts';
import { changeRest } from './spending.ts';

/** The claims of one key, sorted. */
export interface KeyedClaims {
  claims: Claim[];
}

/** Those of one tool result that is about known subagents are a group of their own. */
export function groupsOf(
  children: Children,
  key: string,
  { claims }: KeyedClaims,
): readonly ClaimGroup[] {
  const byResult = Map.groupBy(claims, ({ result }) => tiedResult(children, key, result));
  return [...byResult].map(([result, group]) => ({
    claims: group,
    ...(result === null ? coverUnderKey(children, key) : coverOfResult(children, result)),
  }));
}

/** Null for a tool result that shares the accounts of its turn. */
function tiedResult(children: Children, key: string, result: string): string | null {
  if (children.results.size === 0 || !isOfTurn(key)) return null;
  return childrenOfResult(children, result).size > 0 ? result : null;
}

/** omp's claims are by the subagent's name, and need no tie. */
export function isOfTurn(key: string): boolean {
  return key.startsWith('turn:');
}

export function settleGroup(group: ClaimGroup, counting: Counting): void {
  const rests = restsOf(group);
  group.claims.forEach((claim, index) => {
    setRest(claim, rests[index] ?? zeroAmounts, counting);
  });
}

export function insertClaim(claims: Claim[], claim: Claim): void {
  claims.splice(claims.findLastIndex((each) => compareClaims(each, claim) < 0) + 1, 0, claim);
}

export function setRest(claim: Claim, after: readonly Amount[], counting: Counting): void {
  const { atMs, rest: before } = claim;
  const minute = Math.floor(atMs / 60_000);
  changeRest(counting, { minute, name: claimLineOf(claim), before, after });
  claim.rest = after;
}

/** What a claim counts under. */
export function claimLineOf({ provider, asker = '', model, costSource }: Claim): LineName {
  return { ...noVariant, provider: provider || asker, model, kind: 'tool', costSource };
}

export function setTime(claim: Claim, atMs: number, counting: Counting): void {
  if (claim.atMs === atMs) return;
  const { rest } = claim;
  const quiet = { ...counting, emit: withoutTotals(counting.emit) };
  setRest(claim, zeroAmounts, quiet);
  claim.atMs = atMs;
  setRest(claim, rest, quiet);
}
