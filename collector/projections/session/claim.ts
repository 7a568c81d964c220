/** The claims of one key, what is accounted for, and what is left to count. Pure. */
import type { EventData } from '@pi-ledger/contract';
import { costPartMeasures, tokenCounts, tokenMeasures } from '@pi-ledger/contract/spend-shape';
import { type Amount, addAmounts, beyond } from '../amount.ts';
import { measureIndex, noAmounts, toAmounts } from '../spend-amounts.ts';
import { compareText } from './compare-text.ts';

/** What is accounted for at a time: it covers what is claimed then and later. */
export interface Account {
  readonly atMs: number;
  readonly amounts: readonly Amount[];
}

/** For accounts that cover claims of any time. */
export const timeless = 0;

/** Claims that share what is accounted for. */
export interface ClaimGroup {
  readonly accounted: readonly Account[];
  /** Sums that the claims may include, too, or may not. */
  readonly beside?: readonly (readonly Account[])[];
  /** Sorted. */
  readonly claims: readonly Claim[];
  /** Other claims say the same. */
  readonly isRepeated?: true;
}

export interface Claim {
  atMs: number;
  /** The entry id of the tool result; empty in sums and in documents from before it was known. */
  readonly result: string;
  readonly provider: string;
  /** Where that is empty: the provider of the turn that asked, once known (askers.ts). */
  asker?: string;
  readonly model: string;
  /** Empty in documents that were sealed before it was known. */
  readonly costSource: string;
  readonly amounts: Amount[];
  /** The part that is counted. */
  rest: readonly Amount[];
}

/** The part of each claim that counts, in their order. */
export function computeRests({
  accounted,
  beside = [],
  claims,
  isRepeated,
}: ClaimGroup): Amount[][] {
  if (isRepeated === true) return claims.map(() => noAmounts.slice());
  const arriving = sumsUntil(claims, accounted);
  let remaining: readonly Amount[] = noAmounts;
  const each = claims.map(({ atMs, amounts }) => {
    const covering = withMore(remaining, arriving.get(atMs));
    arriving.delete(atMs);
    remaining = covering.map((amount, index) => beyond(amount, amounts[index] ?? 0));
    return { amounts, rest: subtractCovered(amounts, covering) };
  });
  const areTokensLeft = each.some(({ rest }) => hasTokens(rest));
  if (areTokensLeft && isSumOfBeside(each, beside, claims.at(-1)?.atMs))
    return each.map(() => noAmounts.slice());
  // When all tokens are covered, any remaining price is rounding.
  return each.map(({ amounts, rest }) => {
    const isPriceLeft = rest[costIndex] !== 0 && (areTokensLeft || !hasTokens(amounts));
    return hasTokens(rest) || isPriceLeft ? rest : noAmounts.slice();
  });
}

/** Whether just that is left, to the token, which was spent beside what covers the claims. */
function isSumOfBeside(
  each: readonly { readonly rest: readonly Amount[] }[],
  beside: readonly (readonly Account[])[],
  untilMs = 0,
): boolean {
  const left = sumAmounts(each.map(({ rest }) => rest));
  const sums = beside.map((accounts) =>
    sumAmounts(accounts.filter(({ atMs }) => atMs <= untilMs).map(({ amounts }) => amounts)),
  );
  return [...sums, sumAmounts(sums)].some((sum) =>
    tokenIndexes.every((index) => sum[index] === left[index]),
  );
}

function sumAmounts(list: readonly (readonly Amount[])[]): Amount[] {
  const sum = noAmounts.slice();
  for (const amounts of list) addAmounts(sum, amounts);
  return sum;
}

/** By the time of a claim: what was accounted for until then, and after the claim before it. */
function sumsUntil(claims: readonly Claim[], accounted: readonly Account[]): Map<number, Amount[]> {
  const sums = new Map(claims.map(({ atMs }) => [atMs, noAmounts.slice()]));
  const times = [...sums.keys()];
  for (const account of accounted) {
    const sum = sums.get(times[firstAtOrAfter(times, account.atMs)] ?? Number.NaN);
    if (sum !== undefined) addAmounts(sum, account.amounts);
  }
  return sums;
}

/** The index in sorted `times`. */
function firstAtOrAfter(times: readonly number[], atMs: number): number {
  let [from, to] = [0, times.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((times[middle] ?? 0) < atMs) from = middle + 1;
    else to = middle;
  }
  return from;
}

function withMore(amounts: readonly Amount[], more: Amount[] = []): Amount[] {
  const sum = amounts.slice();
  addAmounts(sum, more);
  return sum.map((amount) => beyond(amount, 0));
}

export function compareClaims(left: Claim, right: Claim): number {
  return left.atMs - right.atMs || compareText(claimText(left), claimText(right));
}

type Accounted = EventData<'pi.subagent.accounted.v1'>['accounted'];

export function measuresOfAccount(accounted: Accounted): Amount[] {
  return toAmounts({
    ...tokenCounts(accounted),
    reasoningTokens: accounted.reasoningTokens ?? 0,
    nanoUsd: accounted.costNanoUsd ?? 0,
  });
}

/** A claim's measures, limited to those that an account also has. */
export function accountableAmounts(amounts: readonly Amount[]): Amount[] {
  return amounts.map((amount, index) => (coveredIndexes.has(index) ? amount : 0));
}

const tokenIndexes = tokenMeasures.map(measureIndex);
const outputIndex = measureIndex('outputTokens');
const reasoningIndex = measureIndex('reasoningTokens');
const costIndex = measureIndex('nanoUsd');
/** The measures that an account reduces. */
const coveredIndexes: ReadonlySet<number> = new Set([...tokenIndexes, reasoningIndex, costIndex]);
const partIndexes = costPartMeasures.map(measureIndex);

/** Which part of a cost an account covers is not known: the rest of such a claim has no parts. */
function subtractCovered(amounts: readonly Amount[], covering: readonly Amount[]): Amount[] {
  const rest = amounts.map((amount, index) =>
    coveredIndexes.has(index) ? beyond(amount, covering[index] ?? 0) : amount,
  );
  if (rest.some((amount, index) => amount !== amounts[index]))
    for (const index of partIndexes) rest[index] = 0;
  boundReasoning(rest);
  return rest;
}

/** Reasoning is part of the output and never exceeds what is left of it. */
export function boundReasoning(amounts: Amount[]): void {
  const [reasoning = 0, output = 0] = [amounts[reasoningIndex], amounts[outputIndex]];
  if (reasoning > output) amounts[reasoningIndex] = output;
}

export function hasTokens(amounts: readonly Amount[]): boolean {
  return tokenIndexes.some((index) => amounts[index] !== 0);
}

export function costOf(amounts: readonly Amount[]): Amount {
  return amounts[costIndex] ?? 0;
}

/** 1 where the left has no less of any token and more of some, -1 the other way round. */
export function compareTokens(
  left: readonly Amount[],
  right: readonly Amount[],
): -1 | 0 | 1 | null {
  const pairs = tokenIndexes.map((index) => [left[index] ?? 0, right[index] ?? 0] as const);
  const [isLess, isMore] = [pairs.some(([a, b]) => a < b), pairs.some(([a, b]) => a > b)];
  if (isLess && isMore) return null;
  return isLess ? -1 : isMore ? 1 : 0;
}

function claimText({ provider, model, costSource, amounts, result }: Claim): string {
  return JSON.stringify([provider, model, costSource, ...amounts.map(String), result]);
}
