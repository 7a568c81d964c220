/**
 * What a session's tool results claim that subagents spent, and what those subagents have recorded themselves (`accounted`). Counted is, under
 * each key, what the claims have beyond that (docs/decisions/0009).
 *
 * - `agent:` and `turn:` keys are sums: what is accounted for is taken off their claims, the oldest first, each measure by itself. When all
 *   tokens of a key are covered it counts nothing: what its price has beyond is rounding.
 * - A `response:` key is one answer (a hash over its id, time and usage): it counts once however often it is claimed, and not at all when it
 *   is accounted for. What is accounted for in this way covers no other claim of its turn.
 * - With more than `claimsMax` keys and claims only the sums over all of them are compared, for good.
 *
 * Guarantees: a function of the set of claims and accounts, whatever the order they came in, as far as equal response keys mean equal answers.
 */
import type { EventData, Spend } from '@pi-ledger/contract';
import { type Amount, addAmounts, negated } from '../amount.ts';
import type { Emit } from '../projection.ts';
import { withoutTotals } from '../totals.ts';
import { measuresOf } from '../usage.ts';
import { millisecondOf } from './calendar.ts';
import { accountableOf, type Claim, compareClaims, measuresOfAccount, nothing, restsOf, type Shared } from './claim.ts';
import { changeRest, type Spending } from './spending.ts';
import type { Timeline } from './timeline.ts';

export interface Claims {
  /** Too many of them: `pool` is what counts, and the rest is empty. */
  isPooled: boolean;
  /** Sums over all keys, one claim for each provider and model. */
  readonly pool: Shared;
  /** By `agent:` and `turn:` keys. */
  readonly keys: Map<string, Shared>;
  /** Claims under these keys. */
  sharedClaims: number;
  /** By the 16 hex digits of `response:` keys. */
  readonly responses: Map<string, Response>;
}

type Response =
  | { readonly is: 'claimed'; readonly claim: Claim }
  /** `key`: the sum that it was accounted for in as well. */
  | { readonly is: 'accounted'; readonly key: string | null }
  | { readonly is: 'covered' };

/** Where it is counted. */
export interface Place {
  readonly spending: Spending;
  readonly timeline: Timeline;
  readonly emit: Emit;
}

export interface Claimed {
  readonly key: string;
  readonly time: string;
  readonly spend: Spend;
}

export function createClaims(): Claims {
  return { isPooled: false, pool: { accounted: [...nothing], claims: [] }, keys: new Map(), sharedClaims: 0, responses: new Map() };
}

/** A claim of nothing is none: what a failed attempt spent is not known to its parent either. */
export function addClaim(claims: Claims, { key, time, spend }: Claimed, place: Place, claimsMax: number): void {
  if (!spend.reported) return;
  const claim: Claim = {
    atMs: millisecondOf(time),
    provider: spend.provider ?? '',
    model: spend.model ?? '',
    amounts: measuresOf(spend),
    rest: nothing,
  };
  setRest(claim, nothing, place);
  addToPool(claims.pool, claim, place);
  if (!claims.isPooled) claimKey(claims, key, claim, place);
  settlePool(claims, place, claimsMax);
}

/** It counts in another session now. Of an answer that was claimed more than once all claims go: rather too little than twice. */
export function removeClaim(claims: Claims, { key, time, spend }: Claimed, { spending, timeline, emit }: Place): void {
  if (!spend.reported) return;
  const place = { spending, timeline, emit: withoutTotals(emit) };
  const [atMs, provider, model, amounts] = [millisecondOf(time), spend.provider ?? '', spend.model ?? '', measuresOf(spend)];
  const isMeant = (claim: Claim): boolean => compareClaims(claim, { atMs, provider, model, amounts, rest: nothing }) === 0;
  const sum = claims.pool.claims.find((claim) => claim.provider === provider && claim.model === model);
  if (sum !== undefined) addAmounts(sum.amounts, negated(amounts));
  if (claims.isPooled) {
    settle(claims.pool, place);
    return;
  }
  const response = responseOf(key);
  if (response !== null) unclaimResponse(claims, response, place);
  else unclaimShared(claims, key, isMeant, place);
}

function unclaimResponse(claims: Claims, response: string, place: Place): void {
  const known = claims.responses.get(response);
  if (known?.is !== 'claimed') return;
  setRest(known.claim, nothing, place);
  claims.responses.delete(response);
}

function unclaimShared(claims: Claims, key: string, isMeant: (claim: Claim) => boolean, place: Place): void {
  const shared = claims.keys.get(key);
  const index = shared?.claims.findIndex(isMeant) ?? -1;
  const [claim] = index < 0 ? [] : (shared?.claims.splice(index, 1) ?? []);
  if (shared === undefined || claim === undefined) return;
  claims.sharedClaims -= 1;
  setRest(claim, nothing, place);
  settle(shared, place);
}

type Accounted = EventData<'pi.subagent.accounted.v1'>;

export function addAccount(claims: Claims, { keys, accounted }: Accounted, place: Place, claimsMax: number): void {
  if (!accounted.reported) return;
  const amounts = measuresOfAccount(accounted);
  addAmounts(claims.pool.accounted, amounts);
  if (!claims.isPooled) accountKeys(claims, keys, amounts, place);
  settlePool(claims, place, claimsMax);
}

function responseOf(key: string): string | null {
  return /^response:[0-9a-f]{16}$/.test(key) ? key.slice('response:'.length) : null;
}

function claimKey(claims: Claims, key: string, claim: Claim, place: Place): void {
  const response = responseOf(key);
  if (response !== null) {
    claimResponse(claims, response, claim, place);
  } else {
    claims.sharedClaims += 1;
    change(claims, key, place, (shared) => insert(shared.claims, claim));
  }
}

function accountKeys(claims: Claims, keys: readonly string[], amounts: readonly Amount[], place: Place): void {
  const response = keys.map(responseOf).find((each) => each !== null) ?? null;
  const shared = keys.filter((key) => responseOf(key) === null);
  const isKnown = response !== null && isAccounted(claims, response);
  for (const key of shared) change(claims, key, place, ({ accounted }) => isKnown || addAmounts(accounted, amounts));
  if (response !== null && !isKnown) accountResponse(claims, response, shared[0] ?? null, place);
}

function change(claims: Claims, key: string, place: Place, by: (shared: Shared) => void): void {
  const shared = claims.keys.get(key) ?? { accounted: [...nothing], claims: [] };
  claims.keys.set(key, shared);
  by(shared);
  settle(shared, place);
}

function settle(shared: Shared, place: Place): void {
  const rests = restsOf(shared);
  shared.claims.forEach((claim, index) => {
    setRest(claim, rests[index] ?? nothing, place);
  });
}

function insert(claims: Claim[], claim: Claim): void {
  claims.splice(claims.findLastIndex((each) => compareClaims(each, claim) < 0) + 1, 0, claim);
}

function claimResponse(claims: Claims, response: string, claim: Claim, place: Place): void {
  const known = claims.responses.get(response);
  if (known === undefined) {
    claims.responses.set(response, { is: 'claimed', claim });
    setRest(claim, claim.amounts, place);
  } else if (known.is === 'claimed') {
    setTime(known.claim, Math.min(known.claim.atMs, claim.atMs), place);
  } else if (known.is === 'accounted') {
    cover(claims, response, known.key, claim, place);
  }
}

/** And in its turn's sum, if it has been in any: parents hear of an answer from the subagent that gave it, and from those between. */
function isAccounted({ responses }: Claims, response: string): boolean {
  const known = responses.get(response);
  return known?.is === 'covered' || (known?.is === 'accounted' && known.key !== null);
}

function accountResponse(claims: Claims, response: string, key: string | null, place: Place): void {
  const known = claims.responses.get(response);
  if (known?.is === 'claimed') cover(claims, response, key, known.claim, place);
  else claims.responses.set(response, { is: 'accounted', key });
}

/** The answer is claimed and accounted for: it counts nothing, and takes nothing off what else its turn claims. */
function cover(claims: Claims, response: string, key: string | null, claim: Claim, place: Place): void {
  setRest(claim, nothing, place);
  claims.responses.set(response, { is: 'covered' });
  if (key === null) return;
  change(claims, key, place, (shared) => addAmounts(shared.accounted, negated(accountableOf(claim.amounts))));
}

function settlePool(claims: Claims, place: Place, claimsMax: number): void {
  if (claims.isPooled) settle(claims.pool, place);
  else if (claims.keys.size + claims.sharedClaims + claims.responses.size > claimsMax) poolAll(claims, place);
}

function addToPool(pool: Shared, { atMs, provider, model, amounts }: Claim, place: Place): void {
  const known = pool.claims.find((claim) => claim.provider === provider && claim.model === model);
  if (known === undefined) {
    insert(pool.claims, { atMs, provider, model, amounts: [...amounts], rest: nothing });
    return;
  }
  addAmounts(known.amounts, amounts);
  setTime(known, Math.min(known.atMs, atMs), place);
  pool.claims.sort(compareClaims);
}

function poolAll(claims: Claims, place: Place): void {
  const quiet = { ...place, emit: withoutTotals(place.emit) };
  for (const shared of claims.keys.values()) for (const claim of shared.claims) setRest(claim, nothing, quiet);
  for (const response of claims.responses.values()) if (response.is === 'claimed') setRest(response.claim, nothing, quiet);
  claims.keys.clear();
  claims.responses.clear();
  claims.sharedClaims = 0;
  claims.isPooled = true;
  settle(claims.pool, quiet);
}

function setRest(claim: Claim, after: readonly Amount[], { spending, timeline, emit }: Place): void {
  const { atMs, provider, model, rest: before } = claim;
  changeRest(spending, timeline, { minute: Math.floor(atMs / 60_000), provider, model, before, after }, emit);
  claim.rest = after;
}

function setTime(claim: Claim, atMs: number, place: Place): void {
  if (claim.atMs === atMs) return;
  const { rest } = claim;
  const quiet = { ...place, emit: withoutTotals(place.emit) };
  setRest(claim, nothing, quiet);
  claim.atMs = atMs;
  setRest(claim, rest, quiet);
}
