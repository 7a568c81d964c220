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
 *   for, and these cover nothing else. Results of a turn that share a subagent share its cover.
 * - What a subagent accounts for later than a claim covers nothing of that claim: it went on.
 * - A tool result that says again what another one says counts nothing (repeated-results.ts).
 */

import { type Accounted, addAccounted, nothingAccounted } from './accounted.ts';
import {
  type ClaimBook,
  type ClaimCover,
  computeCover,
  coveringAccounts,
  isResponse,
  isTurn,
  sharedCover,
  sharingResults,
  type TimedAccount,
  tiedIn,
} from './claim-book.ts';
import { countNames, oldestFirst, tokenNames } from './claim-order.ts';
import { addFigures, type Figures, noFigures, sumAll, unitFigures } from './figures.ts';
import { findRepeated } from './repeated-results.ts';
import { claimKeyOf, type Unit } from './unit.ts';

/** The counted part of all claims by key, without keys that count nothing. */
export function computeRests(book: ClaimBook): ReadonlyMap<string, Figures> {
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
export interface UnitGroup {
  readonly key: string;
  readonly claims: readonly Unit[];
  /** What of each claim counts. */
  readonly rests: readonly Figures[];
  readonly rest: Figures;
}

export function restsOfGroups(book: ClaimBook): readonly UnitGroup[] {
  const byKey = Map.groupBy(
    book.claims.filter(({ reported }) => reported),
    (unit) => claimKeyOf(unit) ?? '',
  );
  const sums = coveringAccounts(book, (response) => byKey.has(response));
  const tied = tiedIn(book, sums);
  const repeated = findRepeated(book);
  return [...byKey].flatMap(([key, claims]): readonly UnitGroup[] => {
    if (isResponse(key))
      return [groupOf(key, claims, restsOfAnswer(claims, book.answers.has(key)))];
    const isAgain = ({ entryId }: Unit) => isTurn(key) && repeated.has(entryId);
    const sorted = claims.filter((claim) => !isAgain(claim)).toSorted(oldestFirst);
    const sharing = isTurn(key) ? sharingResults(book, sums, sorted) : [];
    const groups = Map.groupBy(
      sorted,
      ({ entryId }) => sharing.find(({ entryIds }) => entryIds.has(entryId)) ?? null,
    );
    return [...groups].map(([family, group]) =>
      groupOf(
        key,
        group,
        restsOfSums(
          group,
          family === null
            ? sharedCover(book, sums, key, tied)
            : computeCover(sums, family.children),
        ),
      ),
    );
  });
}

function groupOf(key: string, claims: readonly Unit[], rests: readonly Figures[]): UnitGroup {
  return { key, claims, rests, rest: sumAll(rests) };
}

/** One answer, however often it is claimed. */
function restsOfAnswer(claims: readonly Unit[], isAccounted: boolean): readonly Figures[] {
  const [first] = claims.toSorted(oldestFirst);
  return claims.map((claim) => (isAccounted || claim !== first ? noFigures() : unitFigures(claim)));
}

/**
 * What is accounted for after a claim covers nothing of it. What claims may include or not covers
 * them where just that is left, to the token.
 */
function restsOfSums(
  claims: readonly Unit[],
  { accounts, beside, byTools }: ClaimCover,
): readonly Figures[] {
  const waiting = accounts.toSorted((left, right) => right.timeMs - left.timeMs);
  const cover = nothingAccounted();
  const rests = claims.map((claim) => {
    while ((waiting.at(-1)?.timeMs ?? Number.POSITIVE_INFINITY) <= claim.timeMs)
      addAccounted(cover, waiting.pop()?.accounted ?? nothingAccounted());
    return { claim: unitFigures(claim), rest: uncovered(unitFigures(claim), cover) };
  });
  const areTokensLeft = rests.some(({ rest }) => hasTokens(rest));
  const left = sumAll(rests.map(({ rest }) => rest));
  const untilMs = claims.at(-1)?.timeMs ?? 0;
  if (areTokensLeft && isEither(left, sumUntil(beside, untilMs), sumUntil(byTools, untilMs)))
    return claims.map(noFigures);
  return rests.map(({ claim, rest }) => {
    const isPriceLeft = rest.nanoUsd > 0n && (areTokensLeft || !hasTokens(claim));
    return hasTokens(rest) || isPriceLeft ? rest : noFigures();
  });
}

/** To the token: one of both, or both together. */
function isEither(left: Figures, one: Accounted, other: Accounted): boolean {
  const both = { ...one };
  addAccounted(both, other);
  return [one, other, both].some((sum) => tokenNames.every((name) => sum[name] === left[name]));
}

function sumUntil(accounts: readonly TimedAccount[], untilMs: number): Accounted {
  const sum = nothingAccounted();
  for (const { timeMs, accounted } of accounts) if (timeMs <= untilMs) addAccounted(sum, accounted);
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
