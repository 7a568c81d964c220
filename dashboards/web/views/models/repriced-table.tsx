/** Recorded amounts beside those at other prices, a line for each model and billing. */
import type { Repriced, RepricedFigures } from '@pi-ledger/contract/answers';
import type { Amount } from '../../format/amount.ts';
import { csvUsd } from '../../format/money.ts';
import { Money } from '../../parts/money.tsx';
import { Name } from '../../parts/name.tsx';
import type { Column } from '../../parts/table-column.ts';

export type RepricedRow = Repriced['rows'][number];

const billingWords = {
  metered: 'metered',
  subscription: 'subscription',
  unknown: 'unknown',
} as const;

export const repricedColumns: readonly Column<RepricedRow>[] = [
  {
    name: 'model',
    head: 'Model',
    cell: ({ model = null }) => <Name of={model} />,
    sortBy: ({ model = null }) => model,
  },
  {
    name: 'billing',
    head: 'Paid by',
    cell: ({ billing }) => <span class="quiet">{billingWords[billing]}</span>,
    sortBy: ({ billing }) => billing,
  },
  amountColumn('recorded', 'Recorded', recorded),
  amountColumn('repriced', 'Would be', repriced),
  amountColumn('difference', 'Difference', difference),
];

/** Without a priced record it is not known; never zero. */
export function recorded(of: RepricedFigures): Amount {
  const priced = of.records - of.unpricedRecords - of.unreportedRecords;
  if (priced === 0) return { nanoUsd: null, mark: 'exact' };
  return {
    nanoUsd: BigInt(of.recordedNanoUsd),
    mark: of.unpricedRecords > 0 ? 'atLeast' : 'exact',
  };
}

/** By average prices: an estimate. */
export function repriced(of: RepricedFigures): Amount {
  if (of.repricedRecords === 0) return { nanoUsd: null, mark: 'exact' };
  return {
    nanoUsd: BigInt(of.repricedNanoUsd),
    mark: of.leftOutRecords > 0 ? 'atLeast' : 'estimated',
  };
}

export function difference(of: RepricedFigures): Amount {
  if (of.comparedRecords === 0) return { nanoUsd: null, mark: 'exact' };
  return { nanoUsd: BigInt(of.differenceNanoUsd), mark: 'estimated' };
}

function amountColumn(
  name: string,
  head: string,
  of: (row: RepricedRow) => Amount,
): Column<RepricedRow> {
  return {
    name,
    head,
    isNumber: true,
    cell: (row) => <Money {...of(row)} isChange={name === 'difference'} />,
    csv: (row) => csvUsd(of(row).nanoUsd),
    unit: 'USD',
  };
}
