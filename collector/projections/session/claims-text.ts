/**
 * Stored form of claims in the session's document. Compact, because there may be thousands: an
 * answer that is claimed and accounted for takes 16 letters, answers of one tool result share its
 * time, trailing zeros are left out, and the counted part of a claim is computed again.
 */

import { noAmounts, readAmounts } from '../spend-amounts.ts';
import {
  decodeAccounts,
  encodeAccounts,
  encodeUnplaced,
  parseResponses,
  sortedEntries,
  trimmed,
} from './accounts-text.ts';
import { addName, addRef, addToAccount, countClaim } from './children.ts';
import { type Claim, type ClaimGroup, compareClaims, computeRests, timeless } from './claim.ts';
import { groupClaims, isOfTurn, type KeyedClaims } from './claim-group.ts';
import type { BodyClaim, BodyGroup, BodyModel, BodyResult, ClaimsBody } from './claims-body.ts';
import { groupOfPool } from './claims-pool.ts';
import { type Claims, createClaims } from './claims-state.ts';
import { compareText } from './compare-text.ts';

/** Returns null when nothing is claimed or accounted for. */
export function encodeClaims(claims: Claims): ClaimsBody | null {
  const { isPooled, pool, keys, responses, children } = claims;
  const isEmpty = keys.size + responses.size + children.index.stored === 0;
  if (!isPooled && isEmpty) return null;
  const sorted = [...responses].sort(([left], [right]) => compareText(left, right));
  const claimed = sorted.flatMap(([response, each]) =>
    each.is === 'claimed' ? [{ response, claim: each.claim }] : [],
  );
  const models = createModels(claims);
  return {
    pooled: isPooled,
    models: models.list,
    pool: [trimmed(pool.accounted), ...pool.claims.map((claim) => encodeClaim(claim, models))],
    groups: sortedEntries(keys).map(
      ([key, group]) => [key, ...encodeResults(group, models)] as const,
    ),
    accounts: encodeAccounts(claims, sorted),
    ...(children.names.size > 0 && { names: encodeSets(children.names) }),
    ...(children.results.size > 0 && { results: encodeSets(children.results) }),
    covered: sorted
      .filter(([, { is }]) => is === 'covered')
      .map(([response]) => response)
      .join(''),
    accounted: encodeUnplaced(sorted),
    claimed: [
      ...Map.groupBy(claimed, ({ claim }) =>
        JSON.stringify([claim.atMs, models.indexOf(claim)]),
      ).values(),
    ].map((group) => encodeAnswers(group, models)),
  };
}

function encodeSets(sets: ReadonlyMap<string, ReadonlySet<string>>): [string, ...string[]][] {
  return sortedEntries(sets).map(([key, values]) => [key, ...[...values].sort()]);
}

export function decodeClaims(body: ClaimsBody | null): Claims {
  const claims = createClaims();
  if (body === null) return claims;
  claims.isPooled = body.pooled;
  decodePool(claims, body);
  decodeGroups(claims, body);
  decodeAccounts(claims, body);
  decodeChildren(claims, body);
  decodeResponses(claims, body);
  if (claims.isPooled) recall(groupOfPool(claims));
  for (const [key, keyed] of claims.keys)
    for (const group of groupClaims(claims, key, keyed)) recall(group);
  return claims;
}

function decodeClaim(
  { models }: ClaimsBody,
  result: string,
  [atMs, model, ...amounts]: BodyClaim,
): Claim {
  const [provider, name, costSource = ''] = models[model] as BodyModel;
  return {
    atMs,
    result,
    provider,
    model: name,
    costSource,
    amounts: readAmounts(amounts),
    rest: noAmounts,
  };
}

function decodePool({ pool }: Claims, body: ClaimsBody): void {
  const [accounted, ...list] = body.pool;
  readAmounts(accounted).forEach((amount, index) => {
    pool.accounted[index] = amount;
  });
  pool.claims.push(...list.map((claim) => decodeClaim(body, '', claim)));
}

function decodeGroups(claims: Claims, body: ClaimsBody): void {
  for (const [key, [sum, ...list]] of keysIn(body)) {
    putClaims(
      claims,
      key,
      list.map((claim) => decodeClaim(body, '', claim)),
    );
    addToAccount(claims.children, { child: '', key, atMs: timeless }, readAmounts(sum));
  }
  for (const [key, ...results] of body.groups ?? []) {
    const list = results.flatMap(([result, ...each]) =>
      each.map((claim) => decodeClaim(body, result, claim)),
    );
    putClaims(claims, key, list.sort(compareClaims));
  }
}

function putClaims(claims: Claims, key: string, list: readonly Claim[]): void {
  claims.keys.set(key, { claims: [...list] });
  claims.sharedClaims += list.length;
  if (!isOfTurn(key)) return;
  for (const { result } of list) countClaim(claims.children, result, key, 1);
}

function decodeResponses({ responses }: Claims, body: ClaimsBody): void {
  for (const response of parseResponses(body.covered)) responses.set(response, { is: 'covered' });
  for (const [key, text, child = ''] of body.accounted) {
    const place = key === null ? null : { child, key, atMs: timeless };
    for (const response of parseResponses(text))
      responses.set(response, { is: 'accounted', place });
  }
  for (const [atMs, model, ...answers] of body.claimed) {
    for (const [response, ...amounts] of answers) {
      const claim = decodeClaim(body, '', [atMs, model, ...amounts]);
      claim.rest = claim.amounts;
      responses.set(response, { is: 'claimed', claim });
    }
  }
}

function keysIn({ keys = [] }: ClaimsBody): readonly (readonly [string, BodyGroup])[] {
  return keys.map(([key, ...group]) => [key, group]);
}

function decodeChildren({ children }: Claims, body: ClaimsBody): void {
  for (const [child, ...accounts] of body.children ?? [])
    for (const [key, ...amounts] of accounts)
      addToAccount(children, { child, key, atMs: timeless }, readAmounts(amounts));
  for (const [child, ...refs] of body.names ?? [])
    for (const ref of refs) addName(children, child, ref);
  for (const [result, ...refs] of body.results ?? [])
    for (const ref of refs) addRef(children, result, ref);
}

interface Models {
  readonly list: readonly BodyModel[];
  indexOf(claim: Claim): number;
}

/** The pool has a claim for every provider, model and cost source. */
function createModels({ pool }: Claims): Models {
  const textOf = ({ provider, model, costSource }: Claim): string =>
    JSON.stringify([provider, model, costSource]);
  const texts = pool.claims.map(textOf).sort();
  const indexes = new Map(texts.map((text, index) => [text, index]));
  return {
    list: texts.map((text) => JSON.parse(text)),
    indexOf: (claim) => indexes.get(textOf(claim)) ?? 0,
  };
}

function encodeClaim(claim: Claim, models: Models): BodyClaim {
  return [claim.atMs, models.indexOf(claim), ...trimmed(claim.amounts)];
}

function encodeResults({ claims }: KeyedClaims, models: Models): readonly BodyResult[] {
  const byResult = Map.groupBy(claims, ({ result }) => result);
  return [...byResult].map(([result, list]) => [
    result,
    ...list.map((claim) => encodeClaim(claim, models)),
  ]);
}

interface Answer {
  readonly response: string;
  readonly claim: Claim;
}

/** `group`: answers of one time and model. */
function encodeAnswers(group: readonly Answer[], models: Models): ClaimsBody['claimed'][number] {
  const { claim } = group[0] as Answer;
  const answers = group.map((each) => [each.response, ...trimmed(each.claim.amounts)] as const);
  return [claim.atMs, models.indexOf(claim), ...answers];
}

function recall(group: ClaimGroup): void {
  const rests = computeRests(group);
  group.claims.forEach((claim, index) => {
    claim.rest = rests[index] ?? noAmounts;
  });
}
