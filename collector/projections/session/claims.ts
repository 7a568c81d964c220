/**
 * What a session's tool results claim that subagents spent, and what those subagents recorded
 * themselves (`accounted`). Under each key, the claims count only what exceeds the accounted part
 * (docs/decisions/0009); those of a tool result that is about known subagents, only what exceeds
 * all that these accounted for (children.ts, docs/decisions/0062).
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
import { measuresOf } from '../usage.ts';
import { millisecondOf } from './calendar.ts';
import {
  type AccountPlace,
  addName,
  addRef,
  addToAccount,
  childrenCalled,
  childrenOfResult,
  countClaim,
  keysOfChild,
  ownKey,
  removeRef,
} from './children.ts';
import { type Claim, compareClaims, measuresOfAccount, timeless, zeroAmounts } from './claim.ts';
import {
  groupsOf,
  insertClaim,
  isOfTurn,
  type KeyedClaims,
  setRest,
  settleGroup,
} from './claim-group.ts';
import { addToPool, groupOfPool, settlePool, sumFor } from './claims-pool.ts';
import type { Claims } from './claims-state.ts';
import type { Counting } from './regroup.ts';
import {
  accountResponse,
  claimResponse,
  isAccounted,
  moveAnswer,
  responseOf,
  unclaimResponse,
} from './response-claims.ts';

export interface NewClaim {
  readonly key: string;
  readonly time: string;
  readonly spend: Spend;
  /** The entry id of the tool result. */
  readonly result: string;
}

/** An unreported claim is ignored: the parent does not know either what a failed attempt spent. */
export function addClaim(
  claims: Claims,
  { key, time, spend, result }: NewClaim,
  counting: Counting,
  claimsMax: number,
): void {
  if (!spend.reported) return;
  const claim = claimOf(time, spend, result);
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
  { key, time, spend, result }: NewClaim,
  counting: Counting,
): void {
  if (!spend.reported) return;
  const removed = claimOf(time, spend, result);
  const isMeant = (claim: Claim): boolean => compareClaims(claim, removed) === 0;
  const sum = sumFor(claims.pool, removed);
  if (sum !== undefined) addAmounts(sum.amounts, negated(removed.amounts));
  if (claims.isPooled) {
    settleGroup(groupOfPool(claims), counting);
    return;
  }
  const response = responseOf(key);
  if (response !== null) unclaimResponse(claims, response, counting);
  else unclaimShared(claims, key, isMeant, counting);
}

function claimOf(time: string, spend: Spend, result: string): Claim {
  return {
    atMs: millisecondOf(time),
    result,
    provider: spend.provider ?? '',
    model: spend.model ?? '',
    costSource: costSourceOf(spend),
    amounts: measuresOf(spend, 'tool'),
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
  const related = childrenOfResult(claims.children, claim.result);
  group.claims = group.claims.filter((each) => each !== claim);
  claims.sharedClaims -= 1;
  if (isOfTurn(key)) countClaim(claims.children, claim.result, key, -1);
  setRest(claim, zeroAmounts, counting);
  settleKeys(claims, [key], related, counting);
}

export interface NewAccount extends EventData<'pi.subagent.accounted.v1'> {
  readonly time: string;
}

export function addAccount(
  claims: Claims,
  { keys, childSessionId, accounted, time }: NewAccount,
  counting: Counting,
  claimsMax: number,
): void {
  if (!accounted.reported) return;
  const amounts = measuresOfAccount(accounted);
  addAmounts(claims.pool.accounted, amounts);
  const places = keys
    .filter((key) => responseOf(key) === null)
    .map((key) => placeOf(childSessionId, key, millisecondOf(time)));
  if (!claims.isPooled) accountKeys(claims, keys, places, amounts, counting);
  settlePool(claims, counting, claimsMax);
}

export type Link = EventData<'pi.subagent.linked.v1'>;

export function addLink(
  claims: Claims,
  { entryId, childSessionId, ref }: Link,
  counting: Counting,
  claimsMax: number,
): void {
  if (claims.isPooled) return;
  if (entryId !== null) addRef(claims.children, entryId, ref);
  if (childSessionId !== null) addName(claims.children, childSessionId, ref);
  settleLinked(claims, { entryId, childSessionId, ref }, counting);
  settlePool(claims, counting, claimsMax);
}

/** For a tool result that now counts in another session. */
export function removeLink(
  claims: Claims,
  link: Pick<Link, 'entryId' | 'childSessionId' | 'ref'>,
  counting: Counting,
): void {
  if (claims.isPooled || link.entryId === null) return;
  removeRef(claims.children, link.entryId, link.ref);
  settleLinked(claims, link, counting);
}

function settleLinked(
  claims: Claims,
  { entryId, childSessionId, ref }: Pick<Link, 'entryId' | 'childSessionId' | 'ref'>,
  counting: Counting,
): void {
  const related = childSessionId === null ? childrenCalled(claims.children, ref) : [childSessionId];
  const home = claims.children.index.keyOfResult.get(entryId ?? '')?.key;
  settleKeys(claims, home === undefined ? [] : [home], related, counting);
}

function claimKey(claims: Claims, key: string, claim: Claim, counting: Counting): void {
  const response = responseOf(key);
  if (response !== null) {
    const place = claimResponse(claims, response, claim, counting);
    if (place !== null) settleKeys(claims, [place.key], [place.child], counting);
    return;
  }
  claims.sharedClaims += 1;
  insertClaim(groupOf(claims, key).claims, claim);
  if (isOfTurn(key)) countClaim(claims.children, claim.result, key, 1);
  settleKeys(claims, [key], childrenOfResult(claims.children, claim.result), counting);
}

function accountKeys(
  claims: Claims,
  keys: readonly string[],
  places: readonly AccountPlace[],
  amounts: readonly Amount[],
  counting: Counting,
): void {
  const response = keys.map(responseOf).find((each) => each !== null) ?? null;
  const isKnown = response !== null && isAccounted(claims, response);
  for (const place of places) {
    if (place.key !== ownKey) groupOf(claims, place.key);
    // A sum of nothing stays, so that the order of events leaves no trace.
    addToAccount(claims.children, place, isKnown ? zeroAmounts : amounts);
  }
  const [place = null] = places;
  if (response !== null && !isKnown) accountResponse(claims, response, place, counting);
  const left = isKnown && place !== null ? moveAnswer(claims, response, place, amounts) : null;
  const changed = left === null ? places : [...places, left];
  const [group, children] = [changed.map(({ key }) => key), changed.map(({ child }) => child)];
  settleKeys(claims, group, children, counting);
}

/** Where no turn is told, the key is the subagent's session, which is known anyway. */
function placeOf(child: string, key: string, atMs: number): AccountPlace {
  if (key.startsWith('session:')) return { child, key: ownKey, atMs };
  return { child, key, atMs: isOfTurn(key) ? atMs : timeless };
}

function groupOf({ keys }: Claims, key: string): KeyedClaims {
  const group = keys.get(key) ?? { claims: [] };
  keys.set(key, group);
  return group;
}

/** Counts the claims under these keys again, and those that these subagents have to do with. */
function settleKeys(
  claims: Claims,
  keys: readonly string[],
  children: Iterable<string>,
  counting: Counting,
): void {
  const due = new Set(keys);
  if (claims.children.results.size + claims.children.names.size > 0)
    for (const child of children)
      for (const key of keysOfChild(claims.children, child)) due.add(key);
  for (const key of due) {
    const keyed = claims.keys.get(key);
    if (keyed === undefined) continue;
    for (const group of groupsOf(claims.children, key, keyed)) settleGroup(group, counting);
  }
}
