import type { UsageFigures } from '@pi-ledger/contract/answers';
import { billedNames, billings } from '@pi-ledger/contract/billings';
import { flatFigureNames } from '@pi-ledger/contract/figure-names';
import { exactFigure } from './exact-count.ts';

/** Adds up the figures of several rows. Amounts of different billing stay apart, as everywhere. */
export function sumFigures(rows: readonly UsageFigures[]): UsageFigures {
  const summed = (name: (typeof flatFigureNames)[number]) => {
    const sum = rows.reduce((all, row) => all + BigInt(row[name]), 0n);
    return exactFigure(name, sum);
  };
  return {
    ...Object.fromEntries(flatFigureNames.map((name) => [name, summed(name)])),
    byBilling: Object.fromEntries(
      billings.map((billing) => [billing, sumBilled(rows.map((row) => row.byBilling[billing]))]),
    ),
  } as UsageFigures;
}

type Billed = UsageFigures['byBilling']['metered'];

function sumBilled(rows: readonly Billed[]): Billed {
  const sums = billedNames.map((name) => {
    const sum = rows.reduce((all, row) => all + BigInt(row[name]), 0n);
    return [name, exactFigure(name, sum)];
  });
  return Object.fromEntries(sums) as Billed;
}
