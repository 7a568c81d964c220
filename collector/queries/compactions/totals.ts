/**
 * Totals of rows of the audit, overall and by project and model. Unknown amounts are counted, not
 * taken as zero. Pure.
 */
import type { Compaction, CompactionTotals } from '@pi-ledger/contract/answers';

export function totalsOf(rows: readonly Compaction[]): CompactionTotals {
  const compactions = rows.filter(({ kind }) => kind === 'compaction');
  const made = rows.filter(({ kind }) => kind !== 'failure');
  const measured = compactions.filter(({ tokensAfterMeasured }) => tokensAfterMeasured !== null);
  const regretted = compactions.filter(({ regretReads }) => (regretReads ?? 0) > 0).length;
  return {
    compactions: compactions.length,
    branchSummaries: made.length - compactions.length,
    failures: rows.length - made.length,
    costNanoUsd: sumOfAmounts(made.map(({ costNanoUsd }) => costNanoUsd)),
    unreportedCosts: made.filter(({ costNanoUsd }) => costNanoUsd === null).length,
    savedTokens: sumOf(measured.map(({ savedTokens }) => savedTokens)),
    cacheMissNanoUsd: sumOfAmounts(made.map(({ cacheMissNanoUsd }) => cacheMissNanoUsd)),
    regretReads: sumOf(compactions.map(({ regretReads }) => regretReads)),
    regretTokens: sumOf(compactions.map(({ regretTokens }) => regretTokens)),
    regrettedCompactions: regretted,
    regretRate: compactions.length === 0 ? null : regretted / compactions.length,
    netNanoUsd: sumOfAmounts(compactions.map(({ netNanoUsd }) => netNanoUsd)),
    unknownNets: compactions.filter(({ netNanoUsd }) => netNanoUsd === null).length,
  };
}

/** One total for each value that occurs, the most compactions first. */
export function totalsBy<Name extends 'project' | 'model'>(
  name: Name,
  rows: readonly Compaction[],
) {
  const groups = [...Map.groupBy(rows, (row) => row[name])];
  const totals = groups.map(
    ([label, some]) =>
      ({ [name]: label, ...totalsOf(some) }) as CompactionTotals & {
        readonly [key in Name]: string | null;
      },
  );
  return totals.sort(
    (left, right) =>
      right.compactions - left.compactions || (String(left[name]) < String(right[name]) ? -1 : 1),
  );
}

function sumOf(figures: readonly (number | null)[]): number {
  return figures.reduce<number>((sum, figure) => sum + (figure ?? 0), 0);
}

function sumOfAmounts(amounts: readonly (string | null)[]): string {
  return String(amounts.reduce((sum, amount) => sum + BigInt(amount ?? 0), 0n));
}
