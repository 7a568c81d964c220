/** Sums over all claims, which alone are compared once there are too many. */
import { addAmounts } from '../amount.ts';
import { noAmounts } from '../spend-amounts.ts';
import { withoutTotals } from '../totals.ts';
import { createChildren, sizeOfChildren } from './children.ts';
import { type Claim, type ClaimGroup, compareClaims, timeless } from './claim.ts';
import { insertClaim, setRest, setTime, settleGroup } from './claim-group.ts';
import type { Claims } from './claims-state.ts';
import type { Counting } from './regroup.ts';

export function settlePool(claims: Claims, counting: Counting, claimsMax: number): void {
  const { keys, sharedClaims, responses, children } = claims;
  if (claims.isPooled) settleGroup(groupOfPool(claims), counting);
  else if (keys.size + sharedClaims + sizeOfChildren(children, responses.size) > claimsMax)
    poolAll(claims, counting);
}

export function addToPool(pool: Claims['pool'], claim: Claim, counting: Counting): void {
  const known = sumFor(pool, claim);
  if (known === undefined) {
    const sum = { ...claim, result: '', amounts: [...claim.amounts], rest: noAmounts };
    insertClaim(pool.claims, sum);
    return;
  }
  addAmounts(known.amounts, claim.amounts);
  setTime(known, Math.min(known.atMs, claim.atMs), counting);
  pool.claims.sort(compareClaims);
}

export function sumFor(
  { claims }: Claims['pool'],
  { provider, model, costSource }: Claim,
): Claim | undefined {
  return claims.find(
    (claim) =>
      claim.provider === provider && claim.model === model && claim.costSource === costSource,
  );
}

export function groupOfPool({ pool: { accounted, claims } }: Pick<Claims, 'pool'>): ClaimGroup {
  return { accounted: [{ atMs: timeless, amounts: accounted }], claims };
}

function poolAll(claims: Claims, counting: Counting): void {
  const quiet = { ...counting, emit: withoutTotals(counting.emit) };
  for (const { claims: keyed } of claims.keys.values())
    for (const claim of keyed) setRest(claim, noAmounts, quiet);
  for (const response of claims.responses.values())
    if (response.is === 'claimed') setRest(response.claim, noAmounts, quiet);
  claims.keys.clear();
  claims.responses.clear();
  claims.children = createChildren();
  claims.sharedClaims = 0;
  claims.isPooled = true;
  settleGroup(groupOfPool(claims), quiet);
}
