/** The columns of tables of usage, against the period before. */
import type { UsageFigures, UsageRow } from '@pi-ledger/contract/answers';
import type { Billing } from '@pi-ledger/contract/billings';
import type { ComponentChildren, JSX } from 'preact';
import { seriesClass } from '../../charts/colours.ts';
import type { Change } from '../../format/change.ts';
import { formatCount, formatShare, shortCount } from '../../format/count.ts';
import { csvUsd } from '../../format/money.ts';
import { amountOf, fromCache, tokensOf } from '../../format/spend.ts';
import { None } from '../../parts/marks.tsx';
import { Money, MoneyOrNone } from '../../parts/money.tsx';
import { Percent } from '../../parts/percent.tsx';
import type { Column } from '../../parts/table-column.ts';
import { changeOfRow, changeOfTotal, type UsageTable } from './compared.ts';
import { counted } from './counting.ts';

export type UsageColumn = Column<UsageRow>;

export function moneyColumn(table: UsageTable, billing: Billing): UsageColumn {
  const { total, isCounting } = table;
  return {
    name: billing,
    head: heads[billing],
    isNumber: true,
    cell: (row) => <MoneyOrNone {...counted(amountOf(row, billing), isCounting)} />,
    sortBy: (row) => amountOf(row, billing).nanoUsd,
    csv: (row) => csvUsd(amountOf(row, billing).nanoUsd),
    total: total && <MoneyOrNone {...counted(amountOf(total, billing), isCounting)} />,
  };
}

const heads = { metered: 'Metered', subscription: 'Subscription', unknown: 'Billing unknown' };

/** In dollars, of one billing. */
export function changeColumn(table: UsageTable, billing: Billing): UsageColumn {
  return {
    name: 'change',
    head: 'Change',
    isNumber: true,
    goes: 'second',
    cell: (row) => changeCell(table, changeOfRow(table, row, billing)),
    sortBy: (row) => changeOfRow(table, row, billing).nanoUsd,
    csv: (row) => csvUsd(changeOfRow(table, row, billing).nanoUsd),
    total: table.total && changeCell(table, changeOfTotal(table, billing)),
  };
}

export function percentColumn(table: UsageTable, billing: Billing): UsageColumn {
  const percent = (change: Change) => (table.hasBefore ? <Percent of={change} /> : '…');
  return {
    name: 'percent',
    head: '%',
    isNumber: true,
    cell: (row) => <Quiet>{percent(changeOfRow(table, row, billing))}</Quiet>,
    sortBy: (row) => changeOfRow(table, row, billing).share,
    total: table.total && percent(changeOfTotal(table, billing)),
  };
}

export function tokensColumn({ total }: UsageTable, goes?: 'first' | 'second'): UsageColumn {
  return {
    name: 'tokens',
    head: 'Tokens',
    isNumber: true,
    ...(goes === undefined ? {} : { goes }),
    cell: (row) => shortCount(tokensOf(row)),
    sortBy: tokensOf,
    total: total && shortCount(tokensOf(total)),
  };
}

export function fromCacheColumn({ total }: UsageTable): UsageColumn {
  const share = (figures: UsageFigures) => {
    const { read, sent } = fromCache(figures);
    return sent === 0n ? null : Number(read) / Number(sent);
  };
  const text = (figures: UsageFigures) => {
    const { read, sent } = fromCache(figures);
    return formatShare(read, sent);
  };
  return {
    name: 'fromCache',
    head: 'From cache',
    isNumber: true,
    goes: 'first',
    cell: text,
    sortBy: share,
    total: total && text(total),
  };
}

export function countColumn(
  { total }: UsageTable,
  name: 'unpricedRecords' | 'unreportedRecords',
  head: string,
): UsageColumn {
  return {
    name,
    head,
    isNumber: true,
    goes: 'first',
    cell: (row) => <Quiet>{formatCount(row[name])}</Quiet>,
    sortBy: (row) => row[name],
    total: total && formatCount(total[name]),
  };
}

/** Undefined: not a series of the chart beside. */
export function Swatch({ index }: { index: number | undefined }): JSX.Element | null {
  return index === undefined ? null : <span class={`swatch ${seriesClass(index)}`} />;
}

function changeCell({ hasBefore }: UsageTable, change: Change): ComponentChildren {
  if (!hasBefore) return '…';
  return change.nanoUsd === 0n && change.mark === 'exact' ? (
    <None />
  ) : (
    <Money {...change} isChange />
  );
}

function Quiet({ children }: { children: ComponentChildren }): JSX.Element {
  return <span class="quiet">{children}</span>;
}
