/**
 * What a session's tool results claim that subagents spent, and what those subagents recorded
 * themselves (`accounted`). Under each key, the claims count only what exceeds the accounted part
 * (docs/decisions/0009).
 *
 * - `agent:` and `turn:` keys are sums: the accounted part is subtracted from their claims, the
 *   oldest first, each measure separately. When all tokens of a key are covered, it counts nothing:
 *   any remaining price is rounding.
 * - A `response:` key is one answer (a hash of its id, time and usage): it counts once, however
 *   often it is claimed, and not at all when it is accounted for. An answer accounted for in this
 *   way covers no other claim of its turn.
 * - Beyond `claimsMax` keys and claims, only their overall sums are compared from then on.
 *
 * Guarantees: a function of the set of claims and accounts in any order, provided equal response
 * keys mean equal answers.
 */
import type { EventData, Spend } from '@pi-ledger/contract';
import { type Amount, addAmounts, negated } from '../amount.ts';
import { costSourceOf } from '../cost-parts.ts';
import { withoutTotals } from '../totals.ts';
import { measuresOf } from '../usage.ts';
import { millisecondOf } from './calendar.ts';
import {
  type Claim,
  type ClaimGroup,
  compareClaims,
  measuresOfAccount,
  zeroAmounts,
} from './claim.ts';
import { changeGroup, insertClaim, setRest, setTime, settleGroup } from './claim-group.ts';
import type { Counting } from './regroup.ts';
import {
  accountResponse,
  claimResponse,
  isAccounted,
  type ResponseClaims,
  responseOf,
  unclaimResponse,
} from './response-claims.ts';

export interface Claims extends ResponseClaims {
  /** There are too many: only `pool` counts, and the rest is empty. */
  isPooled: boolean;
  /** Sums over all keys: one claim for each provider, model and cost source. */
  readonly pool: ClaimGroup;
  /** The number of claims under `agent:` and `turn:` keys. */
  sharedClaims: number;
}

export interface NewClaim {
  readonly key: string;
  readonly time: string;
  readonly spend: Spend;
}

export function createClaims(): Claims {
  return {
    isPooled: false,
    pool: { accounted: zeroAmounts.slice(), claims: [] },
    keys: new Map(),
    sharedClaims: 0,
    responses: new Map(),
  };
}

/** An unreported claim is ignored: the parent does not know either what a failed attempt spent. */
export function addClaim(
  claims: Claims,
  { key, time, spend }: NewClaim,
  counting: Counting,
  claimsMax: number,
): void {
  if (!spend.reported) return;
  const claim = claimOf(time, spend);
  setRest(claim, zeroAmounts, counting);
  addToPool(claims.pool, claim, counting);
  if (!claims.isPooled) claimKey(claims, key, claim, counting);
  settlePool(claims, counting, claimsMax);
}

/**
 * For a claim that now counts in another session. When an answer was claimed several times, all its
 * claims go: better to count too little than twice.
 */
export function removeClaim(
  claims: Claims,
  { key, time, spend }: NewClaim,
  counting: Counting,
): void {
  if (!spend.reported) return;
  const removed = claimOf(time, spend);
  const isMeant = (claim: Claim): boolean => compareClaims(claim, removed) === 0;
  const sum = sumFor(claims.pool, removed);
  if (sum !== undefined) addAmounts(sum.amounts, negated(removed.amounts));
  if (claims.isPooled) {
    settleGroup(claims.pool, counting);
    return;
  }
  const response = responseOf(key);
  if (response !== null) unclaimResponse(claims, response, counting);
  else unclaimShared(claims, key, isMeant, counting);
}

function claimOf(time: string, spend: Spend): Claim {
  return {
    atMs: millisecondOf(time),
    provider: spend.provider ?? '',
    model: spend.model ?? '',
    costSource: costSourceOf(spend),
    amounts: measuresOf(spend),
    rest: zeroAmounts,
  };
}

function unclaimShared(
  claims: Claims,
  key: string,
  isMeant: (claim: Claim) => boolean,
  counting: Counting,
): void {
  const group = claims.keys.get(key);
  const claim = group?.claims.find(isMeant);
  if (group === undefined || claim === undefined) return;
  group.claims = group.claims.filter((each) => each !== claim);
  claims.sharedClaims -= 1;
  setRest(claim, zeroAmounts, counting);
  settleGroup(group, counting);
}

type Accounted = EventData<'pi.subagent.accounted.v1'>;

export function addAccount(
  claims: Claims,
  { keys, accounted }: Accounted,
  counting: Counting,
  claimsMax: number,
): void {
  if (!accounted.reported) return;
  const amounts = measuresOfAccount(accounted);
  addAmounts(claims.pool.accounted, amounts);
  if (!claims.isPooled) accountKeys(claims, keys, amounts, counting);
  settlePool(claims, counting, claimsMax);
}

function claimKey(claims: Claims, key: string, claim: Claim, counting: Counting): void {
  const response = responseOf(key);
  if (response !== null) {
    claimResponse(claims, response, claim, counting);
  } else {
    claims.sharedClaims += 1;
    changeGroup(claims.keys, key, counting, (group) => insertClaim(group.claims, claim));
  }
}

function accountKeys(
  claims: Claims,
  keys: readonly string[],
  amounts: readonly Amount[],
  counting: Counting,
): void {
  const response = keys.map(responseOf).find((each) => each !== null) ?? null;
  const group = keys.filter((key) => responseOf(key) === null);
  const isKnown = response !== null && isAccounted(claims, response);
  for (const key of group)
    changeGroup(
      claims.keys,
      key,
      counting,
      ({ accounted }) => isKnown || addAmounts(accounted, amounts),
    );
  if (response !== null && !isKnown) accountResponse(claims, response, group[0] ?? null, counting);
}

function settlePool(claims: Claims, counting: Counting, claimsMax: number): void {
  if (claims.isPooled) settleGroup(claims.pool, counting);
  else if (claims.keys.size + claims.sharedClaims + claims.responses.size > claimsMax)
    poolAll(claims, counting);
}

function addToPool(pool: ClaimGroup, claim: Claim, counting: Counting): void {
  const known = sumFor(pool, claim);
  if (known === undefined) {
    insertClaim(pool.claims, { ...claim, amounts: [...claim.amounts], rest: zeroAmounts });
    return;
  }
  addAmounts(known.amounts, claim.amounts);
  setTime(known, Math.min(known.atMs, claim.atMs), counting);
  pool.claims.sort(compareClaims);
}

function sumFor({ claims }: ClaimGroup, { provider, model, costSource }: Claim): Claim | undefined {
  return claims.find(
    (claim) =>
      claim.provider === provider && claim.model === model && claim.costSource === costSource,
  );
}

function poolAll(claims: Claims, counting: Counting): void {
  const quiet = { ...counting, emit: withoutTotals(counting.emit) };
  for (const group of claims.keys.values())
    for (const claim of group.claims) setRest(claim, zeroAmounts, quiet);
  for (const response of claims.responses.values())
    if (response.is === 'claimed') setRest(response.claim, zeroAmounts, quiet);
  claims.keys.clear();
  claims.responses.clear();
  claims.sharedClaims = 0;
  claims.isPooled = true;
  settleGroup(claims.pool, quiet);
}
