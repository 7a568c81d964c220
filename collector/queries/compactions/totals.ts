/**
 * Totals of rows of the audit, overall and by project and model. Unknown amounts are counted, not
 * taken as zero. Pure.
 */
import type {
  Compaction,
  CompactionTotals,
  CompactionTotalsOfBilling,
} from '@pi-ledger/contract/answers';

export function totalsOf(rows: readonly Compaction[]): CompactionTotals {
  const compactions = rows.filter(({ kind }) => kind === 'compaction');
  const made = rows.filter(({ kind }) => kind !== 'failure');
  const measured = compactions.filter(({ tokensAfterMeasured }) => tokensAfterMeasured !== null);
  const regretted = compactions.filter(({ regretReads }) => (regretReads ?? 0) > 0).length;
  return {
    compactions: compactions.length,
    branchSummaries: made.length - compactions.length,
    failures: rows.length - made.length,
    byBilling: {
      metered: billedTotalsOf(made, 'metered'),
      subscription: billedTotalsOf(made, 'subscription'),
      unknown: billedTotalsOf(made, 'unknown'),
    },
    savedTokens: sumOf(measured.map(({ savedTokens }) => savedTokens)),
    regretReads: sumOf(compactions.map(({ regretReads }) => regretReads)),
    regretTokens: sumOf(compactions.map(({ regretTokens }) => regretTokens)),
    regrettedCompactions: regretted,
    regretRate: compactions.length === 0 ? null : regretted / compactions.length,
  };
}

function billedTotalsOf(
  made: readonly Compaction[],
  billing: Compaction['billing'],
): CompactionTotalsOfBilling {
  const summaries = made.filter((row) => row.billing === billing);
  const compactions = summaries.filter(({ kind }) => kind === 'compaction');
  const nets = compactions.filter(({ netNanoUsd }) => netNanoUsd !== null);
  return {
    costNanoUsd: sumOfAmounts(summaries.map(({ costNanoUsd }) => costNanoUsd)),
    summaries: summaries.length,
    unreportedCosts: summaries.filter(({ costNanoUsd }) => costNanoUsd === null).length,
    cacheMissNanoUsd: sumOfAmounts(summaries.map(({ cacheMissNanoUsd }) => cacheMissNanoUsd)),
    unknownCacheMisses: summaries.filter(
      ({ cacheMissTokens, cacheMissNanoUsd }) =>
        cacheMissTokens !== null && cacheMissNanoUsd === null,
    ).length,
    netNanoUsd: sumOfAmounts(nets.map(({ netNanoUsd }) => netNanoUsd)),
    nets: nets.length,
    upperBoundNets: nets.filter(({ netIsUpperBound }) => netIsUpperBound === true).length,
    unknownNets: compactions.length - nets.length,
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
