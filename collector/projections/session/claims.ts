/**
 * What a session's tool results claim that subagents spent, and what those subagents recorded
 * themselves (`accounted`). Under each key, the claims count only what exceeds the accounted part
 * (docs/decisions/0009); those of a tool result that is about known subagents, only what exceeds
 * all that these accounted for (children.ts).
 *
 * - `agent:` and `turn:` keys are sums: the accounted part is subtracted from their claims, the
 *   oldest first, each measure separately. A key whose tokens are all covered counts nothing.
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
import { readCostSource } from '../cost-parts.ts';
import { noAmounts } from '../spend-amounts.ts';
import { measuresOf } from '../usage.ts';
import { toMillisecond } from './calendar.ts';
import {
  type AccountPlace,
  addName,
  addRef,
  addToAccount,
  besideKey,
  childrenCalled,
  countClaim,
  isBeside,
  keysOfChild,
  ownKey,
  removeRef,
  toolsKey,
} from './children.ts';
import { type Claim, compareClaims, measuresOfAccount, timeless } from './claim.ts';
import { insertClaim, isOfTurn, type KeyedClaims, setRest, settleGroup } from './claim-group.ts';
import { addToPool, groupOfPool, settlePool, sumFor } from './claims-pool.ts';
import type { Claims } from './claims-state.ts';
import type { Counting } from './regroup.ts';
import { keysOfRun, keysOfSameRuns } from './repeated-results.ts';
import { accountResponse, claimResponse, toResponse, unclaimResponse } from './response-claims.ts';
import { settleKeys, settleResult } from './settle-keys.ts';

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
  const claim = makeClaim(time, spend, result);
  setRest(claim, noAmounts, counting);
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
  const removed = makeClaim(time, spend, result);
  const isMeant = (claim: Claim): boolean => compareClaims(claim, removed) === 0;
  const sum = sumFor(claims.pool, removed);
  if (sum !== undefined) addAmounts(sum.amounts, negated(removed.amounts));
  if (claims.isPooled) {
    settleGroup(groupOfPool(claims), counting);
    return;
  }
  const response = toResponse(key);
  if (response !== null) unclaimResponse(claims, response, counting);
  else unclaimShared(claims, key, isMeant, counting);
}

function makeClaim(time: string, spend: Spend, result: string): Claim {
  return {
    atMs: toMillisecond(time),
    result,
    provider: spend.provider ?? '',
    model: spend.model ?? '',
    costSource: readCostSource(spend),
    amounts: measuresOf(spend, 'tool'),
    rest: noAmounts,
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
  if (isOfTurn(key)) countClaim(claims.children, claim.result, key, -1);
  setRest(claim, noAmounts, counting);
  settleResult(claims, key, claim, counting);
}

export interface NewAccount extends EventData<'pi.subagent.accounted.v1'> {
  readonly time: string;
}

export function addAccount(
  claims: Claims,
  account: NewAccount,
  counting: Counting,
  claimsMax: number,
): void {
  if (!account.accounted.reported) return;
  const amounts = measuresOfAccount(account.accounted);
  addAmounts(claims.pool.accounted, amounts);
  if (!claims.isPooled) accountKeys(claims, account, amounts, counting);
  settlePool(claims, counting, claimsMax);
}

export type ChildLink = EventData<'pi.subagent.linked.v1'>;

export function addLink(
  claims: Claims,
  { entryId, childSessionId, ref }: ChildLink,
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
  link: Pick<ChildLink, 'entryId' | 'childSessionId' | 'ref'>,
  counting: Counting,
): void {
  if (claims.isPooled || link.entryId === null) return;
  removeRef(claims.children, link.entryId, link.ref);
  settleLinked(claims, link, counting);
}

function settleLinked(
  claims: Claims,
  { entryId, childSessionId, ref }: Pick<ChildLink, 'entryId' | 'childSessionId' | 'ref'>,
  counting: Counting,
): void {
  const related = childSessionId === null ? childrenCalled(claims.children, ref) : [childSessionId];
  const { children } = claims;
  const home = children.index.keyOfResult.get(entryId ?? '')?.key ?? [];
  const again = [keysOfRun(children, ref), keysOfSameRuns(children, entryId ?? '')].flat();
  settleKeys(claims, [home, again].flat(), related, counting);
}

function claimKey(claims: Claims, key: string, claim: Claim, counting: Counting): void {
  const response = toResponse(key);
  if (response !== null) {
    const place = claimResponse(claims, response, claim, counting);
    if (place !== null) settlePlaces(claims, [place], counting);
    return;
  }
  claims.sharedClaims += 1;
  insertClaim(openGroup(claims, key).claims, claim);
  if (isOfTurn(key)) countClaim(claims.children, claim.result, key, 1);
  settleResult(claims, key, claim, counting);
}

function accountKeys(
  claims: Claims,
  { keys, childSessionId: child, time }: NewAccount,
  amounts: readonly Amount[],
  counting: Counting,
): void {
  const atMs = toMillisecond(time);
  const response = keys.map(toResponse).find((each) => each !== null) ?? null;
  const sums = keys.filter((key) => toResponse(key) === null);
  const [first = { child, key: toolsKey, atMs }, ...others] = sums.map((key) =>
    accountPlace(child, key, atMs),
  );
  const places = [first, ...others] as const;
  for (const { key } of places) if (key !== ownKey && !isBeside(key)) openGroup(claims, key);
  if (response === null) for (const place of places) addToAccount(claims.children, place, amounts);
  const changed =
    response === null ? places : accountResponse(claims, response, places, amounts, counting);
  settlePlaces(claims, changed, counting);
}

function accountPlace(child: string, key: string, atMs: number): AccountPlace {
  // Where no turn is told, the key is the subagent's session, which is known anyway.
  if (key.startsWith('session:')) return { child, key: ownKey, atMs };
  if (key.startsWith('beside:')) return { child, key: besideKey, atMs };
  return { child, key, atMs: isOfTurn(key) ? atMs : timeless };
}

function settlePlaces(claims: Claims, places: readonly AccountPlace[], counting: Counting): void {
  const keys = places.flatMap(({ child, key }) =>
    isBeside(key) ? [...keysOfChild(claims.children, child)] : [key],
  );
  const children = places.map(({ child }) => child);
  settleKeys(claims, keys, children, counting);
}

function openGroup({ keys }: Claims, key: string): KeyedClaims {
  const group = keys.get(key) ?? { claims: [] };
  keys.set(key, group);
  return group;
}
