/** What caches saved: estimates, by billing, which are never added up. */
import type { UsageRow } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { shortCount } from '../../format/count.ts';
import { csvUsd } from '../../format/money.ts';
import { MoneyOrNone } from '../../parts/money.tsx';
import { Name } from '../../parts/name.tsx';
import type { Column } from '../../parts/table-column.ts';
import { type CacheField, estimateOf } from './cache-estimate.ts';

type Cached = 'metered' | 'subscription';

export const cacheColumns: readonly Column<UsageRow>[] = [
  {
    name: 'model',
    head: 'Model',
    cell: ({ model = null }) => <Name of={model} />,
    sortBy: ({ model = null }) => model,
  },
  estimate('saved', 'Saved, metered', 'metered', 'readsSavedNanoUsd'),
  { ...estimate('extra', 'Writes cost more', 'metered', 'writesExtraNanoUsd'), goes: 1 },
  estimate('savedSubscription', 'Saved, subscr.', 'subscription', 'readsSavedNanoUsd'),
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

function estimate(name: string, head: string, of: Cached, field: CacheField): Column<UsageRow> {
  const amount = ({ cache }: UsageRow) =>
    cache === undefined ? null : estimateOf(cache[of], field);
  const cell = (row: UsageRow): JSX.Element => {
    const nanoUsd = amount(row);
    return <MoneyOrNone nanoUsd={nanoUsd} mark={nanoUsd === 0n ? 'exact' : 'estimated'} />;
  };
  const csv = (row: UsageRow) => csvUsd(amount(row));
  return { name, head, isNumber: true, cell, sortBy: amount, csv, unit: 'USD' };
}
