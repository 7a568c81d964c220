/** What rows of the audit come to, together and by project and model. Pure. Amounts that nobody knows are counted, not taken for zero. */
import { type Static, Type } from 'typebox';
import type { CompactionRow } from './compaction-row.ts';

const nanoUsd = (description: string) => Type.String({ description: `${description} 10^-9 USD, a decimal string.` });

const figures = {
  compactions: Type.Integer({ description: 'Those that failed and branch summaries are not in it.' }),
  branchSummaries: Type.Integer(),
  failures: Type.Integer(),
  costNanoUsd: nanoUsd('Of the calls that made summaries, as far as it is reported.'),
  unreportedCosts: Type.Integer({
    description: 'Compactions and branch summaries whose cost no host reports, or nobody knows a price for: not free.',
  }),
  savedTokens: Type.Integer({ description: 'By compactions: before, less measured after. What is only estimated is not in it.' }),
  cacheMissNanoUsd: nanoUsd('Of the first answers after them.'),
  regretReads: Type.Integer(),
  regretTokens: Type.Integer(),
  regrettedCompactions: Type.Integer({ description: 'After which at least one file was read again.' }),
  regretRate: Type.Union([Type.Number(), Type.Null()], { description: 'Of all compactions, 0 to 1; null: there is none.' }),
  netNanoUsd: nanoUsd('As far as it is known.'),
  unknownNets: Type.Integer({ description: 'Compactions without a net.' }),
};

export const CompactionTotals = Type.Object(figures);

export type Totals = Static<typeof CompactionTotals>;

export function totalsOf(rows: readonly CompactionRow[]): Totals {
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

/** One for each that occurs, the most compactions first. */
export function totalsBy<Name extends 'project' | 'model'>(name: Name, rows: readonly CompactionRow[]) {
  const groups = [...Map.groupBy(rows, (row) => row[name])];
  const totals = groups.map(
    ([label, some]) => ({ [name]: label, ...totalsOf(some) }) as Totals & { readonly [key in Name]: string | null },
  );
  return totals.sort((left, right) => right.compactions - left.compactions || (String(left[name]) < String(right[name]) ? -1 : 1));
}

function sumOf(figures: readonly (number | null)[]): number {
  return figures.reduce<number>((sum, figure) => sum + (figure ?? 0), 0);
}

function sumOfAmounts(amounts: readonly (string | null)[]): string {
  return String(amounts.reduce((sum, amount) => sum + BigInt(amount ?? 0), 0n));
}
