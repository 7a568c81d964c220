/**
 * Tool results that say again what another one of the same session says: a run of a subagent may be
 * collected twice, or a part of it first. Only the most complete result of a run counts.
 *
 * Guarantees: a function of the set of claims and links. Pure.
 */
import { isRunRef, tellsRun } from '@pi-ledger/core/record/run-ref';
import { type Amount, addAmounts } from '../amount.ts';
import { noAmounts } from '../spend-amounts.ts';
import type { Children } from './children.ts';
import { type Claim, compareTokens, costOf } from './claim.ts';
import { compareText } from './compare-text.ts';

export interface ClaimedResults {
  readonly children: Children;
  readonly keys: ReadonlyMap<string, { readonly claims: readonly Claim[] }>;
}

/** The keys of claims that may count otherwise when something is said of this result. */
export function keysOfSameRuns({ results, index }: Children, result: string): readonly string[] {
  return [...(results.get(result) ?? [])].flatMap((ref) => keysOfRun({ index }, ref));
}

/** The same for all results of one run. */
export function keysOfRun({ index }: Pick<Children, 'index'>, ref: string): readonly string[] {
  if (!isRunRef(ref)) return [];
  return [...(index.resultsByRef.get(ref) ?? [])].flatMap(
    (result) => index.keyOfResult.get(result)?.key ?? [],
  );
}

/** Those of these claims' results that others repeat. */
export function findRepeated(
  claimed: ClaimedResults,
  claims: readonly Claim[],
): ReadonlySet<string> {
  const results = new Set(claims.map(({ result }) => result));
  return new Set([...results].filter((result) => isRepeated(claimed, result)));
}

/** Another result is about all its runs, and says as much or more. */
function isRepeated(claimed: ClaimedResults, result: string): boolean {
  const { results, index } = claimed.children;
  const runs = [...(results.get(result) ?? [])].filter(isRunRef);
  const [first] = runs;
  if (first === undefined) return false;
  const others = [...(index.resultsByRef.get(first) ?? [])].filter(
    (other) =>
      other !== result &&
      index.keyOfResult.has(other) &&
      runs.every((run) => results.get(other)?.has(run) === true),
  );
  if (others.length === 0) return false;
  const own = sumResult(claimed, result);
  const isToldApart = runs.every(tellsRun);
  return others.some((other) => outdoes(sumResult(claimed, other), own, isToldApart));
}

interface ResultSum {
  readonly result: string;
  /** How many runs it is about. */
  readonly runs: number;
  readonly atMs: number;
  readonly amounts: readonly Amount[];
}

function sumResult({ children, keys }: ClaimedResults, result: string): ResultSum {
  const key = children.index.keyOfResult.get(result)?.key ?? '';
  const claims = keys.get(key)?.claims.filter((claim) => claim.result === result) ?? [];
  const amounts = noAmounts.slice();
  for (const claim of claims) addAmounts(amounts, claim.amounts);
  const runs = [...(children.results.get(result) ?? [])].filter(isRunRef).length;
  return { result, runs, atMs: claims[0]?.atMs ?? 0, amounts };
}

/**
 * What a run spent only grows, so a result that says less of any token is of another part. Where no
 * run is told, only the same figures are the same run: a subagent that is asked again hardly spends
 * the same to the token. Of equal results, the first one counts.
 */
function outdoes(other: ResultSum, own: ResultSum, isToldApart: boolean): boolean {
  const order = compareTokens(other.amounts, own.amounts);
  if (order !== 0) return order === 1 && isToldApart;
  const [cost, ownCost] = [costOf(other.amounts), costOf(own.amounts)];
  if (cost !== ownCost) return cost > ownCost && isToldApart;
  if (other.runs !== own.runs) return other.runs > own.runs;
  return (
    other.atMs < own.atMs || (other.atMs === own.atMs && compareText(other.result, own.result) < 0)
  );
}
