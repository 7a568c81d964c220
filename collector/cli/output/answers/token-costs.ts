/** What each kind of token cost, the kinds of billing apart. */
import type { UsageFigures } from '@pi-ledger/contract/answers';
import { type Table, table } from '../answer.ts';
import { decimalsFor, formatNanoUsd } from '../format.ts';
import type { Column } from '../table.ts';

type Billing = keyof UsageFigures['byBilling'];
type Billed = UsageFigures['byBilling'][Billing];
type AmountName = Extract<keyof Billed, `${string}NanoUsd`>;

interface Line extends Billed {
  readonly label: string;
}

const billings: readonly (readonly [Billing, label: string])[] = [
  ['metered', 'metered'],
  ['subscription', 'subscription'],
  ['unknown', 'billing unknown'],
];

const amounts: readonly (readonly [AmountName, title: string])[] = [
  ['inputNanoUsd', 'input'],
  ['outputNanoUsd', 'output'],
  ['cacheReadNanoUsd', 'cache read'],
  ['cacheWriteNanoUsd', 'cache write'],
  ['otherNanoUsd', 'other'],
];

/** Null when nothing has a price. */
export function tokenCostsTable({ byBilling }: UsageFigures): Table | null {
  const rows = billings
    .map(([billing, label]): Line => ({ label, ...byBilling[billing] }))
    .filter((line) => amounts.some(([name]) => line[name] !== '0'));
  const decimals = Math.min(
    ...rows.flatMap((line) => amounts.map(([name]) => decimalsFor(BigInt(line[name])))),
  );
  const shown = amounts.filter(
    ([name]) => name !== 'otherNanoUsd' || rows.some((line) => line[name] !== '0'),
  );
  const columns: readonly Column<Line>[] = [
    { title: 'cost of tokens', align: 'left', dropOrder: 0, cell: ({ label }) => label },
    ...shown.map(([name, title], index): Column<Line> => {
      const cell = (line: Line) => formatNanoUsd(BigInt(line[name]), decimals);
      return { title, align: 'right', dropOrder: index, cell };
    }),
  ];
  return rows.length === 0 ? null : table({ columns, rows });
}
