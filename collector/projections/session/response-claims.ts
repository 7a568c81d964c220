/**
 * Claims and accounts of single answers, by `response:` key. An answer counts once, however often
 * it is claimed, and not at all once it is accounted for.
 */
import { type Amount, negated } from '../amount.ts';
import { noAmounts } from '../spend-amounts.ts';
import { type AccountPlace, addToAccount, type Children, isBeside } from './children.ts';
import { accountableAmounts, type Claim } from './claim.ts';
import { setRest, setTime } from './claim-group.ts';
import { compareText } from './compare-text.ts';
import type { Counting } from './regroup.ts';

export type Response =
  | { readonly is: 'claimed'; readonly claim: Claim }
  /** `place`: the sum that it is also accounted for in. */
  | { readonly is: 'accounted'; readonly place: AccountPlace | null }
  | { readonly is: 'covered' };

export interface ResponseClaims {
  readonly children: Children;
  /** By the 16 hex digits of `response:` keys. */
  readonly responses: Map<string, Response>;
}

export function toResponse(key: string): string | null {
  return /^response:[0-9a-f]{16}$/.test(key) ? key.slice('response:'.length) : null;
}

/** Returns the sum that the answer is no longer part of, if any. */
export function claimResponse(
  claims: ResponseClaims,
  response: string,
  claim: Claim,
  counting: Counting,
): AccountPlace | null {
  const known = claims.responses.get(response);
  if (known === undefined) {
    claims.responses.set(response, { is: 'claimed', claim });
    setRest(claim, claim.amounts, counting);
  } else if (known.is === 'claimed') {
    setTime(known.claim, Math.min(known.claim.atMs, claim.atMs), counting);
  } else if (known.is === 'accounted') {
    return cover(claims, response, known.place, claim, counting);
  }
  return null;
}

/**
 * An answer is accounted for once, where it comes first: in a sum, if in any. Parents hear of it
 * from the subagent that gave it and from every subagent in between. Returns the places whose sum
 * changed.
 */
export function accountResponse(
  claims: ResponseClaims,
  response: string,
  places: readonly [AccountPlace, ...AccountPlace[]],
  amounts: readonly Amount[],
  counting: Counting,
): readonly AccountPlace[] {
  const { children, responses } = claims;
  const known = responses.get(response);
  const [place] = places;
  const before = known?.is === 'accounted' ? known.place : null;
  const isKnown = known?.is === 'covered' || (before !== null && comparePlaces(before, place) <= 0);
  const isMoved = before !== null && !isBeside(before.key);
  for (const each of places) {
    // A sum of nothing stays, so that the order of events leaves no trace.
    const isCounted = !isKnown && (each === place || !isMoved);
    addToAccount(children, each, isCounted ? amounts : noAmounts);
  }
  if (isKnown) return places;
  if (before !== null) addToAccount(children, before, negated(amounts));
  if (known?.is === 'claimed') cover(claims, response, place, known.claim, counting);
  else responses.set(response, { is: 'accounted', place });
  return before === null ? places : [...places, before];
}

function comparePlaces(left: AccountPlace, right: AccountPlace): number {
  return (
    Number(isBeside(left.key)) - Number(isBeside(right.key)) ||
    left.atMs - right.atMs ||
    compareText(left.child, right.child) ||
    compareText(left.key, right.key)
  );
}

/**
 * The answer is both claimed and accounted for: it counts nothing, and reduces no other claim of
 * its turn.
 */
function cover(
  claims: ResponseClaims,
  response: string,
  place: AccountPlace | null,
  claim: Claim,
  counting: Counting,
): AccountPlace | null {
  setRest(claim, noAmounts, counting);
  claims.responses.set(response, { is: 'covered' });
  if (place !== null)
    addToAccount(claims.children, place, negated(accountableAmounts(claim.amounts)));
  return place;
}

export function unclaimResponse(
  claims: ResponseClaims,
  response: string,
  counting: Counting,
): void {
  const known = claims.responses.get(response);
  if (known?.is !== 'claimed') return;
  setRest(known.claim, noAmounts, counting);
  claims.responses.delete(response);
}
