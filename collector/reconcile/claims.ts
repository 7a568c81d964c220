/**
 * What remains of a parent's claims after its subagents' own records are subtracted: the part that
 * counts as the parent's spend. Pure.
 *
 * - A `response:` key is one answer: it counts once, however often it is claimed, and not at all
 *   when it is accounted for.
 * - Any other key has sums: claims count as far as they exceed the accounts, measure by measure,
 *   with the oldest claims covered first. When all tokens of a key are covered, it counts nothing,
 *   whatever its price. An answer that is claimed on its own covers nothing of a sum.
 * - A tool result that is tied to known subagents (ties.ts) is covered by all that these accounted
 *   for, and these cover nothing else.
 */

import { countNames, oldestFirst, tokenNames } from './claim-order.ts';
import { addFigures, type Figures, noFigures, sumOf, unitFigures } from './figures.ts';
import { isTied, noTies, type Ties, tiedChildren } from './ties.ts';
import { claimKeyOf, type Unit } from './unit.ts';

export interface Accounted {
  inputTokens: bigint;
  outputTokens: bigint;
  cacheReadTokens: bigint;
  cacheWriteTokens: bigint;
  reasoningTokens: bigint;
  nanoUsd: bigint;
}

/** The claims and accounts of one parent session. */
export interface ClaimBook {
  readonly claims: Unit[];
  /** Accounted sums without single answers: by subagent, then by key. */
  readonly sums: Map<string, Map<string, Accounted>>;
  /** By `response:` key. */
  readonly answers: Map<string, Answer>;
  readonly ties: Ties;
}

interface Answer {
  readonly child: string;
  /** Keys of the sums it was also accounted for in. */
  readonly sumKeys: readonly string[];
  readonly accounted: Accounted;
}

/** The most claims of one side, which are all held in memory at about 500 bytes each. */
export const claimsMax = 1_000_000;

/** Beyond this many keys and claims, the views only compare sums over all keys. */
const exactMax = 10_000;

export function noClaims(): ClaimBook {
  return { claims: [], sums: new Map(), answers: new Map(), ties: noTies() };
}

export function isExact({ claims, sums, answers, ties }: ClaimBook): boolean {
  const keys = new Set([...sums.values()].flatMap((byKey) => [...byKey.keys()]));
  return claims.length + keys.size + answers.size + ties.size <= exactMax;
}

export function addAccount(
  book: ClaimBook,
  child: string,
  keys: readonly string[],
  by: Accounted,
): void {
  const response = keys.find(isResponse);
  const sumKeys = keys.filter((key) => !isResponse(key));
  if (response === undefined) {
    for (const key of sumKeys) addTo(sumsOf(book.sums, child), key, by);
  } else if ((book.answers.get(response)?.sumKeys.length ?? 0) === 0) {
    book.answers.set(response, { child, sumKeys, accounted: by });
  }
}

function sumsOf(sums: ClaimBook['sums'], child: string): Map<string, Accounted> {
  const known = sums.get(child) ?? new Map<string, Accounted>();
  sums.set(child, known);
  return known;
}

/** The counted part of all claims by key, without keys that count nothing. */
export function restsOf(book: ClaimBook): ReadonlyMap<string, Figures> {
  const rests = new Map<string, Figures>();
  for (const { key, rest } of restsOfGroups(book)) {
    if (rest.records === 0n) continue;
    const sum = rests.get(key) ?? noFigures();
    addFigures(sum, rest);
    rests.set(key, sum);
  }
  return rests;
}

/** Claims that share what covers them, and what of them counts. */
export interface ClaimGroup {
  readonly key: string;
  readonly claims: readonly Unit[];
  readonly rest: Figures;
}

export function restsOfGroups(book: ClaimBook): readonly ClaimGroup[] {
  const byKey = Map.groupBy(
    book.claims.filter(({ reported }) => reported),
    (unit) => claimKeyOf(unit) ?? '',
  );
  const sums = coveringSums(book, (response) => byKey.has(response));
  const tied = tiedIn(book, sums);
  return [...byKey].flatMap(([key, claims]): readonly ClaimGroup[] => {
    const sorted = claims.toSorted(oldestFirst);
    if (isResponse(key))
      return [{ key, claims, rest: restOfAnswer(sorted, book.answers.has(key)) }];
    const groups = Map.groupBy(sorted, (unit) =>
      isTurn(key) && isTied(book.ties, unit.entryId, sums) ? unit.entryId : null,
    );
    return [...groups].map(([entryId, group]) => ({
      key,
      claims: group,
      rest: restOfSums(
        group,
        entryId === null ? sharedCover(book, sums, key, tied) : coverOf(book, sums, entryId),
      ),
    }));
  });
}

/** The subagents of tool results that claim something. */
function tiedIn({ ties, claims }: ClaimBook, sums: ClaimBook['sums']): ReadonlySet<string> {
  if (ties.size === 0) return new Set();
  const claiming = claims.filter((unit) => unit.reported && isTurn(claimKeyOf(unit) ?? ''));
  return new Set(claiming.flatMap(({ entryId }) => [...tiedChildren(ties, entryId, sums)]));
}

/** What subagents under this key accounted for, without those of a tied tool result. */
function sharedCover(
  { ties }: ClaimBook,
  sums: ClaimBook['sums'],
  key: string,
  tied: ReadonlySet<string>,
): Accounted {
  const cover = new Map<string, Accounted>();
  for (const [child, byKey] of sums) {
    if (tied.has(child)) continue;
    const own = ties.names.get(child)?.has(key) === true ? [...byKey.keys()].filter(isOwn) : [];
    for (const each of [key, ...own])
      if (byKey.has(each)) addTo(cover, key, byKey.get(each) ?? nothingAccounted());
  }
  return cover.get(key) ?? nothingAccounted();
}

function coverOf({ ties }: ClaimBook, sums: ClaimBook['sums'], entryId: string): Accounted {
  const cover = new Map<string, Accounted>();
  for (const child of tiedChildren(ties, entryId, sums))
    for (const accounted of sums.get(child)?.values() ?? []) addTo(cover, entryId, accounted);
  return cover.get(entryId) ?? nothingAccounted();
}

function isTurn(key: string): boolean {
  return key.startsWith('turn:');
}

/** The key of accounts that tell no turn. */
function isOwn(key: string): boolean {
  return key.startsWith('session:');
}

export function nothingAccounted(): Accounted {
  return {
    inputTokens: 0n,
    outputTokens: 0n,
    cacheReadTokens: 0n,
    cacheWriteTokens: 0n,
    reasoningTokens: 0n,
    nanoUsd: 0n,
  };
}

export function isResponse(key: string): boolean {
  return key.startsWith('response:');
}

export function addTo(sums: Map<string, Accounted>, key: string, by: Accounted): void {
  const sum = sums.get(key) ?? nothingAccounted();
  for (const name of countNames) sum[name] += by[name];
  sum.nanoUsd += by.nanoUsd;
  sums.set(key, sum);
}

/** An answer that is claimed on its own covers nothing of a sum. */
function coveringSums(
  { sums, answers }: ClaimBook,
  isClaimed: (response: string) => boolean,
): ClaimBook['sums'] {
  const covering = new Map(
    [...sums].map(([child, byKey]) => [
      child,
      new Map([...byKey].map(([key, sum]) => [key, { ...sum }])),
    ]),
  );
  for (const [response, { child, sumKeys, accounted }] of answers) {
    const sum = sumsOf(covering, child);
    if (!isClaimed(response)) for (const key of sumKeys) addTo(sum, key, accounted);
  }
  return covering;
}

/** One answer, however often it is claimed. */
function restOfAnswer(claims: readonly Unit[], isAccounted: boolean): Figures {
  return isAccounted ? noFigures() : sumOf(claims.slice(0, 1).map(unitFigures));
}

function restOfSums(claims: readonly Unit[], cover: Accounted): Figures {
  const rests = claims.map((claim) => ({
    claim: unitFigures(claim),
    rest: uncovered(unitFigures(claim), cover),
  }));
  const areTokensLeft = rests.some(({ rest }) => hasTokens(rest));
  const sum = noFigures();
  for (const { claim, rest } of rests) {
    const isPriceLeft = rest.nanoUsd > 0n && (areTokensLeft || !hasTokens(claim));
    if (hasTokens(rest) || isPriceLeft) addFigures(sum, rest);
  }
  return sum;
}

/** Subtracts from `cover` what this claim uses up. */
function uncovered(claim: Figures, cover: Accounted): Figures {
  const rest = { ...claim };
  for (const name of countNames) {
    const used = smaller(claim[name], cover[name]);
    rest[name] -= used;
    cover[name] -= used;
  }
  const isPriceCovered = claim.nanoUsd < cover.nanoUsd;
  rest.nanoUsd -= isPriceCovered ? claim.nanoUsd : cover.nanoUsd;
  cover.nanoUsd -= isPriceCovered ? claim.nanoUsd : cover.nanoUsd;
  // Reasoning is part of the output and never exceeds what is left of it.
  rest.reasoningTokens = smaller(rest.reasoningTokens, rest.outputTokens);
  return rest;
}

function smaller(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}

function hasTokens(figures: Figures): boolean {
  return tokenNames.some((name) => figures[name] > 0n);
}
