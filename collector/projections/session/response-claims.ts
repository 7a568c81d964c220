/**
 * Claims and accounts of single answers, by `response:` key. An answer counts once, however often
 * it is claimed, and not at all once it is accounted for.
 */
import { addAmounts, negated } from '../amount.ts';
import { accountableOf, type Claim, type ClaimGroup, zeroAmounts } from './claim.ts';
import { changeGroup, setRest, setTime } from './claim-group.ts';
import type { Counting } from './regroup.ts';

type Response =
  | { readonly is: 'claimed'; readonly claim: Claim }
  /** `key`: the sum in which it is also accounted for. */
  | { readonly is: 'accounted'; readonly key: string | null }
  | { readonly is: 'covered' };

export interface ResponseClaims {
  /** By `agent:` and `turn:` keys. */
  readonly keys: Map<string, ClaimGroup>;
  /** By the 16 hex digits of `response:` keys. */
  readonly responses: Map<string, Response>;
}

export function responseOf(key: string): string | null {
  return /^response:[0-9a-f]{16}$/.test(key) ? key.slice('response:'.length) : null;
}

export function claimResponse(
  claims: ResponseClaims,
  response: string,
  claim: Claim,
  counting: Counting,
): void {
  const known = claims.responses.get(response);
  if (known === undefined) {
    claims.responses.set(response, { is: 'claimed', claim });
    setRest(claim, claim.amounts, counting);
  } else if (known.is === 'claimed') {
    setTime(known.claim, Math.min(known.claim.atMs, claim.atMs), counting);
  } else if (known.is === 'accounted') {
    cover(claims, response, known.key, claim, counting);
  }
}

/**
 * Whether it is accounted for, in its turn's sum too if it was in any. Parents hear of an answer
 * from the subagent that gave it and from every subagent in between.
 */
export function isAccounted({ responses }: ResponseClaims, response: string): boolean {
  const known = responses.get(response);
  return known?.is === 'covered' || (known?.is === 'accounted' && known.key !== null);
}

export function accountResponse(
  claims: ResponseClaims,
  response: string,
  key: string | null,
  counting: Counting,
): void {
  const known = claims.responses.get(response);
  if (known?.is === 'claimed') cover(claims, response, key, known.claim, counting);
  else claims.responses.set(response, { is: 'accounted', key });
}

/**
 * The answer is both claimed and accounted for: it counts nothing, and reduces no other claim of
 * its turn.
 */
function cover(
  claims: ResponseClaims,
  response: string,
  key: string | null,
  claim: Claim,
  counting: Counting,
): void {
  setRest(claim, zeroAmounts, counting);
  claims.responses.set(response, { is: 'covered' });
  if (key === null) return;
  changeGroup(claims.keys, key, counting, (group) =>
    addAmounts(group.accounted, negated(accountableOf(claim.amounts))),
  );
}

export function unclaimResponse(
  claims: ResponseClaims,
  response: string,
  counting: Counting,
): void {
  const known = claims.responses.get(response);
  if (known?.is !== 'claimed') return;
  setRest(known.claim, zeroAmounts, counting);
  claims.responses.delete(response);
}
