/**
 * What a session's tool results claim that subagents spent, and what those subagents have recorded
 * themselves (`accounted`). Counted is, under each key, what the claims have beyond that
 * (docs/decisions/0009).
 *
 * - `agent:` and `turn:` keys are sums: what is accounted for is taken off their claims, the oldest
 *   first, each measure by itself. When all tokens of a key are covered it counts nothing: what its
 *   price has beyond is rounding.
 * - A `response:` key is one answer (a hash over its id, time and usage): it counts once however
 *   often it is claimed, and not at all when it is accounted for. What is accounted for in this way
 *   covers no other claim of its turn.
 * - With more than `claimsMax` keys and claims only the sums over all of them are compared, for
 *   good.
 *
 * Guarantees: a function of the set of claims and accounts, whatever the order they came in, as far
 * as equal response keys mean equal answers.
 */
import type { EventData, Spend } from '@pi-ledger/contract';
import { type Amount, addAmounts, negated } from '../amount.ts';
import { withoutTotals } from '../totals.ts';
import { measuresOf } from '../usage.ts';
import { millisecondOf } from './calendar.ts';
import {
  accountableOf,
  type Claim,
  compareClaims,
  measuresOfAccount,
  nothing,
  restsOf,
  type Shared,
} from './claim.ts';
import type { Counting } from './regroup.ts';
import { changeRest } from './spending.ts';

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

export interface Claimed {
  readonly key: string;
  readonly time: string;
  readonly spend: Spend;
}

export function createClaims(): Claims {
  return {
    isPooled: false,
    pool: { accounted: nothing.slice(), claims: [] },
    keys: new Map(),
    sharedClaims: 0,
    responses: new Map(),
  };
}

/** A claim of nothing is none: what a failed attempt spent is not known to its parent either. */
export function addClaim(
  claims: Claims,
  { key, time, spend }: Claimed,
  counting: Counting,
  claimsMax: number,
): void {
  if (!spend.reported) return;
  const claim: Claim = {
    atMs: millisecondOf(time),
    provider: spend.provider ?? '',
    model: spend.model ?? '',
    amounts: measuresOf(spend),
    rest: nothing,
  };
  setRest(claim, nothing, counting);
  addToPool(claims.pool, claim, counting);
  if (!claims.isPooled) claimKey(claims, key, claim, counting);
  settlePool(claims, counting, claimsMax);
}

/**
 * It counts in another session now. Of an answer that was claimed more than once all claims go:
 * rather too little than twice.
 */
export function removeClaim(
  claims: Claims,
  { key, time, spend }: Claimed,
  counting: Counting,
): void {
  if (!spend.reported) return;
  const [atMs, provider, model, amounts] = [
    millisecondOf(time),
    spend.provider ?? '',
    spend.model ?? '',
    measuresOf(spend),
  ];
  const isMeant = (claim: Claim): boolean =>
    compareClaims(claim, { atMs, provider, model, amounts, rest: nothing }) === 0;
  const sum = claims.pool.claims.find(
    (claim) => claim.provider === provider && claim.model === model,
  );
  if (sum !== undefined) addAmounts(sum.amounts, negated(amounts));
  if (claims.isPooled) {
    settle(claims.pool, counting);
    return;
  }
  const response = responseOf(key);
  if (response !== null) unclaimResponse(claims, response, counting);
  else unclaimShared(claims, key, isMeant, counting);
}

function unclaimResponse(claims: Claims, response: string, counting: Counting): void {
  const known = claims.responses.get(response);
  if (known?.is !== 'claimed') return;
  setRest(known.claim, nothing, counting);
  claims.responses.delete(response);
}

function unclaimShared(
  claims: Claims,
  key: string,
  isMeant: (claim: Claim) => boolean,
  counting: Counting,
): void {
  const shared = claims.keys.get(key);
  const claim = shared?.claims.find(isMeant);
  if (shared === undefined || claim === undefined) return;
  shared.claims = shared.claims.filter((each) => each !== claim);
  claims.sharedClaims -= 1;
  setRest(claim, nothing, counting);
  settle(shared, counting);
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

function responseOf(key: string): string | null {
  return /^response:[0-9a-f]{16}$/.test(key) ? key.slice('response:'.length) : null;
}

function claimKey(claims: Claims, key: string, claim: Claim, counting: Counting): void {
  const response = responseOf(key);
  if (response !== null) {
    claimResponse(claims, response, claim, counting);
  } else {
    claims.sharedClaims += 1;
    change(claims, key, counting, (shared) => insert(shared.claims, claim));
  }
}

function accountKeys(
  claims: Claims,
  keys: readonly string[],
  amounts: readonly Amount[],
  counting: Counting,
): void {
  const response = keys.map(responseOf).find((each) => each !== null) ?? null;
  const shared = keys.filter((key) => responseOf(key) === null);
  const isKnown = response !== null && isAccounted(claims, response);
  for (const key of shared)
    change(claims, key, counting, ({ accounted }) => isKnown || addAmounts(accounted, amounts));
  if (response !== null && !isKnown) accountResponse(claims, response, shared[0] ?? null, counting);
}

function change(
  claims: Claims,
  key: string,
  counting: Counting,
  by: (shared: Shared) => void,
): void {
  const shared = claims.keys.get(key) ?? { accounted: nothing.slice(), claims: [] };
  claims.keys.set(key, shared);
  by(shared);
  settle(shared, counting);
}

function settle(shared: Shared, counting: Counting): void {
  const rests = restsOf(shared);
  shared.claims.forEach((claim, index) => {
    setRest(claim, rests[index] ?? nothing, counting);
  });
}

function insert(claims: Claim[], claim: Claim): void {
  claims.splice(claims.findLastIndex((each) => compareClaims(each, claim) < 0) + 1, 0, claim);
}

function claimResponse(claims: Claims, response: string, claim: Claim, counting: Counting): void {
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
 * And in its turn's sum, if it has been in any: parents hear of an answer from the subagent that
 * gave it, and from those between.
 */
function isAccounted({ responses }: Claims, response: string): boolean {
  const known = responses.get(response);
  return known?.is === 'covered' || (known?.is === 'accounted' && known.key !== null);
}

function accountResponse(
  claims: Claims,
  response: string,
  key: string | null,
  counting: Counting,
): void {
  const known = claims.responses.get(response);
  if (known?.is === 'claimed') cover(claims, response, key, known.claim, counting);
  else claims.responses.set(response, { is: 'accounted', key });
}

/**
 * The answer is claimed and accounted for: it counts nothing, and takes nothing off what else its
 * turn claims.
 */
function cover(
  claims: Claims,
  response: string,
  key: string | null,
  claim: Claim,
  counting: Counting,
): void {
  setRest(claim, nothing, counting);
  claims.responses.set(response, { is: 'covered' });
  if (key === null) return;
  change(claims, key, counting, (shared) =>
    addAmounts(shared.accounted, negated(accountableOf(claim.amounts))),
  );
}

function settlePool(claims: Claims, counting: Counting, claimsMax: number): void {
  if (claims.isPooled) settle(claims.pool, counting);
  else if (claims.keys.size + claims.sharedClaims + claims.responses.size > claimsMax)
    poolAll(claims, counting);
}

function addToPool(
  pool: Shared,
  { atMs, provider, model, amounts }: Claim,
  counting: Counting,
): void {
  const known = pool.claims.find((claim) => claim.provider === provider && claim.model === model);
  if (known === undefined) {
    insert(pool.claims, { atMs, provider, model, amounts: [...amounts], rest: nothing });
    return;
  }
  addAmounts(known.amounts, amounts);
  setTime(known, Math.min(known.atMs, atMs), counting);
  pool.claims.sort(compareClaims);
}

function poolAll(claims: Claims, counting: Counting): void {
  const quiet = { ...counting, emit: withoutTotals(counting.emit) };
  for (const shared of claims.keys.values())
    for (const claim of shared.claims) setRest(claim, nothing, quiet);
  for (const response of claims.responses.values())
    if (response.is === 'claimed') setRest(response.claim, nothing, quiet);
  claims.keys.clear();
  claims.responses.clear();
  claims.sharedClaims = 0;
  claims.isPooled = true;
  settle(claims.pool, quiet);
}

function setRest(claim: Claim, after: readonly Amount[], counting: Counting): void {
  const { atMs, provider, model, rest: before } = claim;
  changeRest(counting, { minute: Math.floor(atMs / 60_000), provider, model, before, after });
  claim.rest = after;
}

function setTime(claim: Claim, atMs: number, counting: Counting): void {
  if (claim.atMs === atMs) return;
  const { rest } = claim;
  const quiet = { ...counting, emit: withoutTotals(counting.emit) };
  setRest(claim, nothing, quiet);
  claim.atMs = atMs;
  setRest(claim, rest, quiet);
}
