/** Cost by kind of token, a line for each kind of billing, with what the cache saved. */

import { dollarText, placesFor } from '@pi-ledger/contract/amounts';
import type { CacheFigures, UsageFigures } from '@pi-ledger/contract/answers';
import { type Billing, billings } from '@pi-ledger/contract/billings';
import { table } from '../../cli/output/answer.ts';
import type { Note, Table } from '../../cli/output/answer-parts.ts';
import { countOf } from '../../cli/output/counts.ts';
import type { Column } from '../../cli/output/table.ts';

interface Line {
  readonly billing: Billing;
  readonly billed: UsageFigures['byBilling'][Billing];
  readonly cached: CacheFigures[Billing] | null;
}

const partTitles = [
  ['input', 'inputNanoUsd'],
  ['output', 'outputNanoUsd'],
  ['cache read', 'cacheReadNanoUsd'],
  ['cache write', 'cacheWriteNanoUsd'],
  ['other', 'otherNanoUsd'],
] as const;

/** Returns null where nothing has a cost. */
export function costPartsTable(
  { byBilling }: UsageFigures,
  cache: CacheFigures | undefined,
): Table | null {
  const rows = billings
    .map((billing) => ({
      billing,
      billed: byBilling[billing],
      cached: cache === undefined ? null : cache[billing],
    }))
    .filter(({ billed }) => partTitles.some(([, name]) => billed[name] !== '0'));
  if (rows.length === 0) return null;
  const largest = rows.flatMap(({ billed }) => partTitles.map(([, name]) => BigInt(billed[name])));
  const decimals = Math.min(...largest.map(placesFor));
  const amount = (text: string | null) =>
    text === null ? 'n/a' : dollarText(BigInt(text), decimals);
  const cached = (
    title: string,
    dropOrder: number,
    name: 'readsSavedNanoUsd' | 'writesExtraNanoUsd',
  ) => ({
    title,
    align: 'right' as const,
    dropOrder,
    cell: (line: Line) => estimated(line, name, amount),
  });
  const columns: readonly Column<Line>[] = [
    { title: 'cost of', align: 'left', dropOrder: 0, cell: ({ billing }) => billingTexts[billing] },
    ...partTitles.map(
      ([title, name]): Column<Line> => ({
        title,
        align: 'right',
        dropOrder: 0,
        cell: ({ billed }) =>
          amount(name === 'otherNanoUsd' || isSplit(billed) ? billed[name] : null),
      }),
    ),
    ...(cache === undefined
      ? []
      : [
          cached('reads saved', 1, 'readsSavedNanoUsd'),
          cached('writes cost more', 2, 'writesExtraNanoUsd'),
        ]),
  ];
  return table({ columns, rows });
}

const billingTexts: Readonly<Record<Billing, string>> = {
  metered: 'metered',
  subscription: 'subscription',
  unknown: 'billing unknown',
};

/** Else nobody knows its parts. */
function isSplit(billed: Line['billed']): boolean {
  return partTitles.some(([, name]) => name !== 'otherNanoUsd' && billed[name] !== '0');
}

function estimated(
  { cached }: Line,
  name: 'readsSavedNanoUsd' | 'writesExtraNanoUsd',
  amount: (text: string | null) => string,
): string {
  const value = cached?.[name] ?? null;
  return value === null ? 'n/a' : `~ ${amount(value)}`;
}

/** What the estimates mean and leave out. */
export function cacheNotes(cache: CacheFigures | undefined): Note[] {
  if (cache === undefined) return [];
  const leftOut = billings.reduce((sum, each) => sum + BigInt(cache[each].leftOutTokens), 0n);
  const without =
    leftOut === 0n ? '' : `; without ${countOf(leftOut.toString(), 'token')} of no known price`;
  return [{ mark: '~', text: `estimated: the cache against the average price of input${without}` }];
}
