/** Updates the counted part of each claim in a group after the group or a claim has changed. */
import type { Amount } from '../amount.ts';
import { withoutTotals } from '../totals.ts';
import { type Claim, type ClaimGroup, compareClaims, restsOf, zeroAmounts } from './claim.ts';
import { type LineName, noVariant } from './line-name.ts';
import type { Counting } from './regroup.ts';
import { changeRest } from './spending.ts';

export function changeGroup(
  groups: Map<string, ClaimGroup>,
  key: string,
  counting: Counting,
  by: (group: ClaimGroup) => void,
): void {
  const group = groups.get(key) ?? { accounted: zeroAmounts.slice(), claims: [] };
  groups.set(key, group);
  by(group);
  settleGroup(group, counting);
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
