/** What caches saved: estimates, by billing, which are never added up. */
import type { CacheFigures, UsageRow } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import type { JSX } from 'preact';
import { shortCount } from '../../format/count.ts';
import { csvUsd } from '../../format/money.ts';
import { MoneyOrNone } from '../../parts/money.tsx';
import { Name } from '../../parts/name.tsx';
import type { Column } from '../../parts/table-column.ts';
import type { TableSort } from '../../parts/table-rows.ts';
import { type CacheField, cachedBillings, estimateOf } from './cache-estimate.ts';

/** A column of each kind of money that caches saved some of; what writes cost is of the first. */
export function cacheColumns(total: CacheFigures | undefined): readonly Column<UsageRow>[] {
  const [first, ...others] = cachedBillings(total);
  return [
    modelColumn,
    saved(first),
    { ...estimate('extra', 'Writes cost more', first, 'writesExtraNanoUsd'), goes: 1 },
    ...others.map(saved),
    ...tokenColumns,
  ];
}

const savedNames: Readonly<Record<Billing, { readonly name: string; readonly head: string }>> = {
  metered: { name: 'saved', head: 'Saved, metered' },
  subscription: { name: 'savedSubscription', head: 'Saved, subscr.' },
  unknown: { name: 'savedUnknown', head: 'Saved, billing unknown' },
};

/** The main kind of money first. */
export function cachesSort(total: CacheFigures | undefined): TableSort {
  return { column: savedNames[cachedBillings(total)[0]].name, isUp: false };
}

function saved(billing: Billing): Column<UsageRow> {
  const { name, head } = savedNames[billing];
  return estimate(name, head, billing, 'readsSavedNanoUsd');
}

const modelColumn: Column<UsageRow> = {
  name: 'model',
  head: 'Model',
  cell: ({ model = null }) => <Name of={model} />,
  sortBy: ({ model = null }) => model,
};

const tokenColumns: readonly Column<UsageRow>[] = [
  {
    name: 'read',
    head: 'Read',
    isNumber: true,
    goes: 1,
    cell: ({ cacheReadTokens }) => shortCount(cacheReadTokens),
    sortBy: ({ cacheReadTokens }) => BigInt(cacheReadTokens),
    unit: 'tokens',
  },
  {
    name: 'written',
    head: 'Written',
    isNumber: true,
    goes: 1,
    cell: ({ cacheWriteTokens }) => shortCount(cacheWriteTokens),
    sortBy: ({ cacheWriteTokens }) => BigInt(cacheWriteTokens),
    unit: 'tokens',
  },
];

function estimate(name: string, head: string, of: Billing, field: CacheField): Column<UsageRow> {
  const amount = ({ cache }: UsageRow) =>
    cache === undefined ? null : estimateOf(cache[of], field);
  const cell = (row: UsageRow): JSX.Element => {
    const nanoUsd = amount(row);
    return <MoneyOrNone nanoUsd={nanoUsd} mark={nanoUsd === 0n ? 'exact' : 'estimated'} />;
  };
  const csv = (row: UsageRow) => csvUsd(amount(row));
  return { name, head, isNumber: true, cell, sortBy: amount, csv, unit: 'USD' };
}
